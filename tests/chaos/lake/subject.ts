/** The pipeline over a lake, in a folder or in S3. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Subject } from "../seed.ts";
import { built } from "../steps.ts";
import { folderStore } from "./folder-store.ts";
import { Lake } from "./lake.ts";
import { s3Store } from "./s3-store.ts";
import type { Store } from "./store.ts";

export const STORES = ["folder", "s3"] as const;
export type StoreKind = (typeof STORES)[number];

export interface LakeSubject extends Subject, AsyncDisposable {}

/** @param folder that is there: of the program, which is built, and of lakes. */
export async function lakeSubjects(folder: string): Promise<Readonly<Record<StoreKind, LakeSubject>>> {
  const program = await built("lake/pipeline.ts", path.join(folder, "lake"));
  return { folder: await subjectOf("folder", program, folder), s3: await subjectOf("s3", program, folder) };
}

async function subjectOf(kind: StoreKind, program: string, folder: string): Promise<LakeSubject> {
  const store = await storeOf(kind, path.join(folder, `lakes-${kind}`));
  let lakes = 0; // a seed may come again
  return {
    program,
    keysOf: (partitions) => `2024-01-01..2024-01-${String(partitions).padStart(2, "0")}`,
    outputsOf: (partitions) => partitions * 3 + 1,
    follows: [
      ["compact", "load"],
      ["tidy", "load"],
      ["report", "tidy"],
    ],
    lake: (name) => Lake.create(store, `${name}_${++lakes}`),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** @param folder that a folder's lakes are in. */
export async function storeOf(kind: StoreKind, folder: string): Promise<Store> {
  if (kind === "s3") return await s3Store();
  mkdirSync(folder, { recursive: true });
  return folderStore(folder);
}
