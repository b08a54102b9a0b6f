import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { IcebergError } from "../errors.ts";
import { expireSnapshots } from "../maintenance/expire-snapshots.ts";
import { ge } from "../predicate/predicate.ts";
import { planFiles } from "../scan/plan.ts";
import { CommitTable } from "./commit-table.fixture.ts";
import { commitFiles } from "./commit-files.ts";
import type { FileOfSpec } from "./file-change.ts";
import { uncompressed } from "./uncompressed.fixture.ts";

/** Bytes that are set, and where the file is cut off. */
const damage = fc.record({
  flips: fc.array(fc.record({ at: fc.nat(), to: fc.nat(255) }), { minLength: 1, maxLength: 4 }),
  kept: fc.option(fc.nat(), { freq: 4 }),
  isInflated: fc.boolean(),
});

let table: CommitTable;
let files: FileOfSpec[];
beforeAll(async () => {
  table = await CommitTable.make({ partitionBy: ["day"] });
  files = await Promise.all([1, 2, null].map((day, i) => table.file({ day, ids: [BigInt(i), BigInt(i + 9)] })));
  await commitFiles(table.operations, { operation: "append", add: files });
});

describe.each(["manifest list", "manifest"])("a %s whose bytes were changed or cut off", (what) => {
  it("is used, or is an error with a code that names it, in scans, commits and expiries", async () => {
    const path =
      what === "manifest"
        ? (await table.manifests())[0]!.path
        : (await table.load()).metadata.snapshots[0]!["manifest-list"]!;
    const whole = await table.files.read(path);
    const inflated = await uncompressed(whole);
    await fc.assert(
      fc.asyncProperty(damage, async ({ flips, kept, isInflated }) => {
        const bytes = (isInflated ? inflated : whole).slice();
        for (const { at, to } of flips) bytes[at % bytes.length] = to;
        const damaged = kept === null ? bytes : bytes.subarray(0, kept % bytes.length);
        const reader = new Damaged(table, path, damaged);
        const works = [() => reader.scan(), () => reader.remove(files.slice(0, 1)), () => reader.expire()];
        for (const work of works) expect(await strangeError(work(), what, path)).toBeUndefined();
      }),
      { numRuns: 700 },
    );
  }, 60_000);
});

/** A process for which one of the table's files has other bytes, and whose commits come to nothing. */
class Damaged {
  readonly #table: CommitTable;

  constructor(table: CommitTable, path: string, bytes: Uint8Array) {
    this.#table = table.another();
    const { files: own } = this.#table;
    const { read } = own;
    own.read = (uri, options) => (uri === path ? Promise.resolve(bytes) : read.call(own, uri, options));
  }

  get #refusing() {
    return this.#table.with(() => Promise.reject(new IcebergError("read-only", "this is as far as it goes")));
  }

  async scan() {
    const state = await this.#table.load();
    await planFiles({ state, files: this.#table.files }, { where: ge("id", 5n) });
  }

  async remove(remove: readonly FileOfSpec[]) {
    await commitFiles(this.#refusing, { operation: "delete", remove });
  }

  async expire() {
    await expireSnapshots(this.#refusing, { olderThan: new Date(Date.now() + 1000) });
  }
}

/** Undefined if nothing failed, or it did so as it should. */
async function strangeError(work: Promise<void>, what: string, path: string): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (error === undefined || !(error instanceof IcebergError)) return error;
  const { code, message } = error;
  const isOfThis = code === "invalid-manifest" && message.includes(`${what} `);
  return isOfThis && !message.includes(path) ? error : undefined;
}
