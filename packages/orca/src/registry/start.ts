/** How a built file was started, in the process that runs it: see `start-line.ts`. */

/** What `node -e` makes global besides the names of Node's modules. */
const GLOBALS = ["module", "exports", "require", "__filename", "__dirname"];

/** Names of modules that are global in every process. */
const ALWAYS_GLOBAL = new Set(["process", "console", "crypto"]);

/**
 * Makes a process that was started by a file's first line as one that was started by `node <file>`: else what it starts in turn would be
 * given its `-e`, and code would find modules as globals.
 */
export function forgetStart(start: string, file: string): void {
  const at = process.execArgv.indexOf(start);
  if (at === -1) return;
  process.execArgv.splice(at - 1, 2);
  process.argv[1] = process.getBuiltinModule("node:path").resolve(process.argv[1]!);
  const { builtinModules, Module } = process.getBuiltinModule("node:module");
  process.mainModule = Object.assign(new Module(file), { filename: file });
  for (const name of [...GLOBALS, ...builtinModules])
    if (!ALWAYS_GLOBAL.has(name)) Reflect.deleteProperty(globalThis, name);
}
