/** What a step prints, chunk by chunk, as lines. */
import { StringDecoder } from "node:string_decoder";
import { LINE_LENGTH_MAX } from "./log-line.ts";

/** Puts lines and UTF-8 sequences that are split over chunks together. Of an endless line it keeps no more than a log would show. */
export class OutputLines {
  readonly #decoder = new StringDecoder("utf8");
  /** The line that has no end yet. */
  #begun = "";

  /** Takes a chunk, and gives the lines that end in it. */
  take(chunk: string | NodeJS.ArrayBufferView): readonly string[] {
    const lines = this.#decoder.write(chunk).split("\n");
    lines[0] = this.#begun.length > LINE_LENGTH_MAX ? this.#begun : this.#begun + lines[0];
    this.#begun = lines.pop()!.slice(0, LINE_LENGTH_MAX + 1);
    return lines;
  }

  /** Gives the line that was begun, if there is one. */
  rest(): readonly string[] {
    const line = this.#begun + this.#decoder.end();
    this.#begun = "";
    return line === "" ? [] : [line];
  }
}
