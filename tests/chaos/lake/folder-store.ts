/** A lake in a folder; `folder-hook.ts` has programs stop before and after all that they do to it. */
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { openCatalog } from "@orcajs/iceberg";
import type { Side } from "../held.ts";
import { type Guard, type Store, type StoreGate } from "./store.ts";

const HOOK = pathToFileURL(path.join(import.meta.dirname, "folder-hook.ts")).href;

/** @param folder removed when the store is disposed. */
export function folderStore(folder: string): Store {
  return {
    open: (name) => openCatalog(path.join(folder, name)),
    guard: (name, gate) => guarded(path.join(folder, name), gate),
    ownFiles: (name) =>
      readdirSync(path.join(folder, name), { recursive: true, encoding: "utf8" }).filter((file) =>
        path.basename(file).startsWith(".~"),
      ),
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function guarded(lake: string, gate: StoreGate): Promise<Guard> {
  const server = createServer((message, response) => {
    const query = new URL(message.url!, "http://gate").searchParams;
    void gate(query.get("request")!, query.get("side") as Side).then((fault) => response.end(fault));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    env: {
      ORCA_WAREHOUSE: lake,
      NODE_OPTIONS: `--import ${HOOK}`,
      CHAOS_LAKE: lake,
      CHAOS_GATE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
