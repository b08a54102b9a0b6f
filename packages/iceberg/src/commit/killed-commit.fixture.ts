/** A process that changes a table in a folder, and kills itself at a point of it: `before` or `after` the nth time that a file of a kind is written or deleted. */
import type { ObjectStore } from "@orcajs/objectstore";
import { FolderOperations } from "../catalog/folder/folder-operations.ts";
import { TableFiles } from "../files/table-files.ts";
import { expireSnapshots } from "../maintenance/expire-snapshots.ts";
import { commitFiles } from "./commit-files.ts";
import type { FileOfSpec } from "./file-change.ts";

const [location = "", work = "", when = "", what = ""] = process.argv.slice(2);

const KINDS: Readonly<Record<string, RegExp>> = {
  data: /\.parquet$/,
  manifest: /-m\d+\.avro$/,
  list: /\/snap-[^/]*$/,
  metadata: /\.metadata\.json$/,
  hint: /version-hint\.text$/,
};

function reach(point: "before" | "after", uris: readonly string[]): void {
  if (point === when && uris.some((uri) => KINDS[what]!.test(uri))) process.kill(process.pid, "SIGKILL");
}

class KilledFiles extends TableFiles {
  override objectAt(uri: string) {
    const at = super.objectAt(uri);
    const put: ObjectStore["put"] = async (key, body, options) => {
      reach("before", [uri]);
      const written = await at.store.put(key, body, options);
      reach("after", [uri]);
      return written;
    };
    const store = new Proxy(at.store, {
      get: (of, name) => {
        const value: unknown = name === "put" ? put : Reflect.get(of, name);
        return typeof value === "function" ? value.bind(of) : value;
      },
    });
    return { ...at, store };
  }

  override async delete(uris: Iterable<string>): Promise<void> {
    const all = [...uris];
    if (work === "expire") reach("before", all);
    await super.delete(all);
    if (work === "expire") reach("after", all);
  }
}

const files = new KilledFiles();
const operations = new FolderOperations("a.t", location, files);
if (work === "expire") await expireSnapshots(operations, { olderThan: new Date(Date.now() + 60_000) });
else {
  const path = `${location}/data/new.parquet`;
  await files.write(path, "rows");
  const added: FileOfSpec = {
    specId: 0,
    file: { content: "data", path, format: "parquet", partition: [], recordCount: 1, sizeBytes: 4 },
  };
  const remove = (JSON.parse(work) as readonly string[]).map((old) => ({
    ...added,
    file: { ...added.file, path: old },
  }));
  await commitFiles(operations, { operation: "overwrite", add: [added], remove });
}
