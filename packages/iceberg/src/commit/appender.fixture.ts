/** A process that appends files, one a commit, which are only said to be there, and prints their paths. */
import { FolderOperations } from "../catalog/folder/folder-operations.ts";
import { TableFiles } from "../files/table-files.ts";
import { commitFiles } from "./commit-files.ts";

const [location = "", options = "", name = "", count = ""] = process.argv.slice(2);
await using files = new TableFiles(JSON.parse(options) as ConstructorParameters<typeof TableFiles>[0]);
const operations = new FolderOperations("a.t", location, files);
for (let i = 0; i < Number(count); i++) {
  const path = `${location}/data/${name}-${i}.parquet`;
  const file = { content: "data", path, format: "parquet", partition: [], recordCount: 1, sizeBytes: 4 } as const;
  await commitFiles(operations, { operation: "append", add: [{ specId: 0, file }] });
  process.stdout.write(`${path}\n`);
}
