/** The parameters of a request, each checked as it is asked for. */
import { OrcaError } from "../core/errors.ts";
import { Day } from "../core/keys/day.ts";

/** Longer ones are refused. */
const TEXT_MAX = 256;
/** What Postgres calls an integer is no greater. */
const COUNT_MAX = 2_147_483_647;

/** Of a list. */
const LIST_MAX = 65_536;

export class Query {
  readonly #params: URLSearchParams;

  constructor(params: URLSearchParams) {
    this.#params = params;
  }

  /** A text, or undefined if there is none, or an empty one. @throws OrcaError `usage` for one that is too long or has control characters. */
  text(name: string): string | undefined {
    const text = this.#params.get(name);
    return text === null ? undefined : textFrom(text, name);
  }

  /** A list of partitions, or another longer text, or undefined. @throws OrcaError `usage` */
  list(name: string): string | undefined {
    const list = this.#params.get(name);
    return list === null ? undefined : textFrom(list, name, LIST_MAX);
  }

  /** All texts of a name, such as those of checkboxes. @throws OrcaError `usage` */
  all(name: string): readonly string[] {
    return this.#params.getAll(name).flatMap((text) => textFrom(text, name) ?? []);
  }

  /** Whether a checkbox is checked, or a button was pressed: any text but `0`. */
  is(name: string): boolean {
    return ![undefined, "0"].includes(this.text(name));
  }

  /** A whole number that a row may have, or undefined. @throws OrcaError `usage` */
  id(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : idFrom(text, name);
  }

  /** A count or a number of an attempt, from 1 on, or undefined. Postgres has them in four bytes. @throws OrcaError `usage` */
  count(name: string): number | undefined {
    const count = this.id(name);
    if (count !== undefined && count > COUNT_MAX) throw wrong(name, `it takes at most ${COUNT_MAX}`);
    return count;
  }

  /** A place in something, from 0 on, or undefined. @throws OrcaError `usage` */
  place(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : text === "0" ? 0 : idFrom(text, name);
  }

  /** One of some words, or undefined. @throws OrcaError `usage` */
  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const text = this.text(name);
    if (text === undefined || words.includes(text as Word)) return text as Word | undefined;
    throw wrong(
      name,
      words.length < 2
        ? `it takes ${words[0] ?? "none"}`
        : `it takes ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`,
    );
  }

  /** A year, or undefined. @throws OrcaError `usage` */
  year(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d{4}$/.test(text)) throw wrong(name, "it takes a year such as 2024");
    return Number(text);
  }

  /** A day such as `2024-01-31`, or undefined. @throws OrcaError `usage` */
  day(name: string): Day | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!Day.is(text)) throw wrong(name, "it takes a day such as 2024-01-31");
    return text;
  }
}

/** A text that a path or a parameter has, or undefined for an empty one. @throws OrcaError `usage` for one that is too long or has control characters. */
export function textFrom(given: string, name: string, max = TEXT_MAX): string | undefined {
  const text = given.trim();
  if (text === "") return undefined;
  if (text.length > max) throw wrong(name, `it is longer than ${max} characters`);
  // oxlint-disable-next-line no-control-regex -- Postgres takes no zero bytes, and no name has the others
  if (/[\u0000-\u001f\u007f]/.test(text) || !text.isWellFormed())
    throw wrong(name, "it has characters that no name has");
  return text;
}

/** A row's number, as a path or a parameter has it. @throws OrcaError `usage` */
export function idFrom(text: string, name: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(id)) throw wrong(name, "it takes a whole number from 1 on");
  return id;
}

function wrong(name: string, why: string): OrcaError {
  return new OrcaError("usage", `the parameter '${name}' is wrong: ${why}`);
}
