/** What code runs are of. */
import { createHash } from "node:crypto";
import type pg from "pg";
import type { Locations } from "../core/code-locations.ts";

/** A pipeline's code, as a build knows it. */
export interface Version {
  readonly registryHash: string;
  /** By the step's name. */
  readonly stepHashes: Readonly<Record<string, string>>;
  /** The repository's address, the commit, and whether the files differed from it, where they are known. */
  readonly repository: string | null;
  readonly commit: string | null;
  readonly dirty: boolean | null;
  /** Where it is declared, where that is known. */
  readonly locations?: Locations | undefined;
}

/** Records a version once, and its pipeline. @returns its id. */
export async function recordVersion(client: pg.ClientBase, pipeline: string, version: Version): Promise<string> {
  const { registryHash, stepHashes, repository, commit, dirty, locations } = version;
  const content = [
    pipeline,
    registryHash,
    Object.keys(stepHashes)
      .toSorted()
      .map((name) => [name, stepHashes[name]]),
    repository,
    commit,
    dirty,
  ];
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  await client.query("insert into orca.pipelines (name) values ($1) on conflict do nothing", [pipeline]);
  await client.query(INSERT, [
    pipeline,
    digest,
    registryHash,
    JSON.stringify(stepHashes),
    repository,
    commit,
    dirty,
    locations === undefined ? null : JSON.stringify(locations),
  ]);
  const { rows } = await client.query<{ id: string }>("select id from orca.versions where digest = $1", [digest]);
  return rows[0]!.id;
}

const INSERT = `
  insert into orca.versions (pipeline, digest, registry_hash, step_hashes, repository, commit, dirty, locations)
  values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`;
