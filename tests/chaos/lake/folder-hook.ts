/**
 * Loaded into a program before all else: what it does to files in `CHAOS_LAKE` stops at `CHAOS_GATE` before and after. What the gate answers is an
 * error of the disk. What DuckDB writes isn't stopped; data files are renamed to their places by Node.
 */
import { constants } from "node:fs";
import promises from "node:fs/promises";
import { get } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { text } from "node:stream/consumers";
import { kindOf } from "./store.ts";

const lake = process.env["CHAOS_LAKE"]!;
const gate = process.env["CHAOS_GATE"]!;

async function stop(request: string, side: "before" | "after"): Promise<void> {
  const query = new URLSearchParams({ request: `store ${request}`, side });
  const fault = await new Promise<string>((resolve) => {
    // without the suite there is nothing to stop at
    get(`${gate}/?${query.toString()}`, { agent: false }, (reply) => resolve(text(reply))).on("error", () =>
      resolve(""),
    );
  });
  if (fault !== "") throw Object.assign(new Error(`EIO: i/o error made by the suite, ${request}`), { code: "EIO" });
}

async function stopped<T>(verb: string, file: unknown, work: () => Promise<T>): Promise<T> {
  if (typeof file !== "string" || !file.startsWith(lake)) return await work();
  const request = `${verb} ${kindOf(file)}`;
  await stop(request, "before");
  const result = await work();
  await stop(request, "after");
  return result;
}

const { link, rename, rm, open } = promises;
promises.link = async (from, to) => await stopped("put", to, async () => await link(from, to));
promises.rename = async (from, to) => await stopped("put", to, async () => await rename(from, to));
promises.rm = async (file, options) => await stopped("delete", file, async () => await rm(file, options));
promises.open = async (file, flags, mode) => {
  let handle: promises.FileHandle | undefined;
  const work = async () => (handle = await open(file, flags, mode));
  try {
    return await stopped(isForReading(flags) ? "get" : "put", file, work);
  } catch (error) {
    await handle?.close();
    throw error;
  }
};
syncBuiltinESMExports();

function isForReading(flags: string | number = "r"): boolean {
  return typeof flags === "string" ? flags === "r" : (flags & (constants.O_WRONLY | constants.O_RDWR)) === 0;
}
