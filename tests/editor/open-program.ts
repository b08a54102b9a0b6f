/** A program that is open in an editor, with places marked in it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LanguageServer } from "./language-server.ts";

/**
 * A program whose text marks places: a comment that is a name between bars marks the place where it begins, and isn't part of the text.
 * Disposing it ends the language server's process.
 */
export class OpenProgram implements AsyncDisposable {
  readonly #server: LanguageServer;
  readonly #folder: string;
  readonly #offsets: ReadonlyMap<string, number>;

  private constructor(server: LanguageServer, folder: string, offsets: ReadonlyMap<string, number>) {
    this.#server = server;
    this.#folder = folder;
    this.#offsets = offsets;
  }

  /** @param marked the program's text, with its places marked. */
  static async open(marked: string): Promise<OpenProgram> {
    const { text, offsets } = unmarked(marked);
    const build = join(import.meta.dirname, "../../build");
    mkdirSync(build, { recursive: true });
    const folder = mkdtempSync(join(build, "editor-"));
    writeFileSync(join(folder, "program.ts"), text);
    writeFileSync(join(folder, "tsconfig.json"), '{ "extends": "orcajs/tsconfig", "files": ["program.ts"] }');
    try {
      const server = await LanguageServer.start(folder);
      server.open(join(folder, "program.ts"), text);
      return new OpenProgram(server, folder, offsets);
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
  }

  completions(place: string): Promise<readonly string[]> {
    return this.#server.completions(this.#at(place));
  }

  hover(place: string): Promise<string> {
    return this.#server.hover(this.#at(place));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true });
  }

  #at(place: string): { readonly path: string; readonly offset: number } {
    const offset = this.#offsets.get(place);
    if (offset === undefined) throw new Error(`no place is marked '${place}'`);
    return { path: join(this.#folder, "program.ts"), offset };
  }
}

function unmarked(marked: string): { readonly text: string; readonly offsets: ReadonlyMap<string, number> } {
  const offsets = new Map<string, number>();
  let text = "";
  marked.split(/\/\*\|([^|]+)\|\*\//).forEach((part, i) => {
    if (i % 2 === 0) text += part;
    else offsets.set(part, text.length);
  });
  return { text, offsets };
}
