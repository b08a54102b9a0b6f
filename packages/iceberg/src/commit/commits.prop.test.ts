import fc from "fast-check";
import { expect, it } from "vitest";
import { expireSnapshots } from "../maintenance/expire-snapshots.ts";
import { removeOrphans } from "../maintenance/remove-orphans.ts";
import { rewriteManifests } from "../maintenance/rewrite-manifests.ts";
import { MAIN } from "../metadata/table-metadata.ts";
import { planFiles } from "../scan/plan.ts";
import { createBranch, createTag, removeRef } from "../refs/refs.ts";
import { rollbackTo } from "../refs/rollback.ts";
import { CommitTable } from "./commit-table.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import type { FileOfSpec } from "./file-change.ts";

/** Numbers choose among what there is when the step is made. */
const step = fc.oneof(
  fc.record({
    do: fc.constant("change" as const),
    add: fc.nat(3),
    remove: fc.array(fc.nat(), { maxLength: 3 }),
    on: fc.nat(),
  }),
  fc.record({ do: fc.constant("branch" as const), isTag: fc.boolean(), at: fc.nat() }),
  fc.record({ do: fc.constant("unbranch" as const), which: fc.nat() }),
  fc.record({ do: fc.constant("rollback" as const), to: fc.nat() }),
  fc.record({ do: fc.constant("expire" as const), keepLast: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant("rewrite" as const), on: fc.nat() }),
  fc.record({ do: fc.constant("orphans" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Model {
  /** The files of each snapshot. */
  readonly snapshots: Map<bigint, ReadonlyMap<string, FileOfSpec>>;
  names: number;
}

it("snapshots have what was put into them, whatever comes after, and the folder has what they have and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 30, size: "max" }),
      fc.constantFrom("2", "3", "100"),
      async (steps, merged) => {
        const table = await CommitTable.make({
          partitionBy: ["day"],
          properties: { "commit.manifest.min-count-to-merge": merged },
        });
        const model: Model = { snapshots: new Map(), names: 0 };
        for (const each of steps) {
          await take(table, model, each);
          expect(await stateOf(table)).toEqual(stateBy(table, model));
        }
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

async function take(table: CommitTable, model: Model, each: Step): Promise<void> {
  const { operations } = table;
  const { metadata } = await table.load();
  const { refs } = metadata;
  const branches = Object.keys(refs).filter((name) => refs[name]!.type === "branch");
  const pick = <T>(n: number, of: readonly T[]): T | undefined => of[n % of.length];
  switch (each.do) {
    case "change": {
      const branch = pick(each.on, branches) ?? MAIN;
      const head = refs[branch]?.["snapshot-id"];
      const live = new Map(head === undefined ? [] : model.snapshots.get(head));
      const remove = new Map(each.remove.flatMap((n) => [...live].slice(n % (live.size + 1)).slice(0, 1)));
      const add = await Promise.all(Array.from({ length: each.add }, (_, i) => table.file({ day: i % 2 })));
      const change = { operation: "overwrite" as const, add, remove: [...remove.values()] };
      const { snapshot } = await commitFiles(operations, change, { branch });
      for (const path of remove.keys()) live.delete(path);
      for (const file of add) live.set(file.file.path, file);
      model.snapshots.set(snapshot["snapshot-id"], live);
      return;
    }
    case "branch": {
      const snapshotId = pick(each.at, metadata.snapshots)?.["snapshot-id"];
      if (snapshotId === undefined) return;
      const create = each.isTag ? createTag : createBranch;
      await create(operations, `ref${model.names++}`, { snapshotId });
      return;
    }
    case "unbranch": {
      const name = pick(
        each.which,
        Object.keys(refs).filter((ref) => ref !== MAIN),
      );
      if (name !== undefined) await removeRef(operations, name);
      return;
    }
    case "rollback": {
      const past = metadata["snapshot-log"].map((entry) => entry["snapshot-id"]);
      const id = pick(each.to, past);
      if (id !== undefined && model.snapshots.has(id)) await rollbackTo(operations, { id }).catch(refused);
      return;
    }
    case "expire": {
      const options = { olderThan: new Date(Date.now() + 1000), keepLast: each.keepLast };
      const { snapshots } = await expireSnapshots(operations, options);
      for (const { "snapshot-id": id } of snapshots) model.snapshots.delete(id);
      return;
    }
    case "rewrite": {
      const branch = pick(each.on, branches);
      const committed = branch && (await rewriteManifests(operations, { branch }));
      if (!committed) return;
      const { "snapshot-id": id, "parent-snapshot-id": parent } = committed.snapshot;
      model.snapshots.set(id, model.snapshots.get(parent!)!);
      return;
    }
    case "orphans":
      await removeOrphans(operations, { olderThan: new Date(Date.now() + 1000), allowsRecent: true });
      return;
    default:
      each satisfies never;
  }
}

/** What a reader finds. */
async function stateOf(table: CommitTable) {
  const reader = table.another();
  const state = await reader.load();
  const snapshots = [];
  for (const { "snapshot-id": id, summary } of state.metadata.snapshots) {
    const { tasks } = await planFiles({ state, files: reader.files }, { snapshot: { id } });
    const paths = tasks.map(({ file }) => file.file.path).toSorted();
    snapshots.push({ id, paths, total: summary!["total-data-files"] });
  }
  const options = { olderThan: new Date(Date.now() + 1000), allowsRecent: true, isDryRun: true };
  return {
    snapshots,
    files: (await reader.names(".parquet")).toSorted(),
    orphans: await removeOrphans(reader.operations, options),
  };
}

function stateBy({ location }: CommitTable, { snapshots }: Model): Awaited<ReturnType<typeof stateOf>> {
  const reached = new Set([...snapshots.values()].flatMap((files) => [...files.keys()]));
  return {
    snapshots: Array.from(snapshots, ([id, files]) => ({
      id,
      paths: [...files.keys()].toSorted(),
      total: String(files.size),
    })),
    files: Array.from(reached, (path) => path.slice(location.length + 1)).toSorted(),
    orphans: [],
  };
}

/** A snapshot that is of another branch by now. */
function refused(error: unknown): void {
  expect(error).toMatchObject({ code: "invalid-change" });
}
