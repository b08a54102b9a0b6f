/** A process that appends its own entries to one object by conditional replaces, and prints each when it has succeeded: until it is killed. */
import { FolderStore } from "./folder-store.ts";

const [root = "", name = ""] = process.argv.slice(2);
const store = new FolderStore(root);
for (let i = 0; ;) {
  const { bytes, etag } = await store.get("journal");
  try {
    await store.put("journal", `${new TextDecoder().decode(bytes)}${name}-${i}\n`, { ifMatch: etag });
  } catch (error) {
    if ((error as { code?: string }).code === "conflict") continue;
    throw error;
  }
  process.stdout.write(`${name}-${i++}\n`);
}
