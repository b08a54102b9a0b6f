/** Keys by their state, paged by key: each state is found by the index that has it. */
import type { DescribedPipeline } from "../../core/described.ts";
import type { Database, Statement } from "../database.ts";
import { keysNamed, type KeyRow } from "./key-facts.ts";
import { keyStateOf, type KeyFacts, type KeyState } from "./key-states.ts";

export interface KeysAsked {
  readonly description: DescribedPipeline;
  /** Undefined for those of any state. */
  readonly state: KeyState | undefined;
  /** How they begin. */
  readonly begins: string;
  /** Only those that don't come earlier. */
  readonly from?: string;
  /** Only those that come later. */
  readonly after: string;
  readonly limit: number;
}

export interface KeyPage {
  readonly keys: readonly KeyRow[];
  /** The next page's `after`; null on the last. */
  readonly after: string | null;
}

/** So many are looked through for a page: where many that failed are queued again, a page may be short and not the last. */
const LOOKED_AT = 250;
const ROUNDS = 2;

export async function listKeys(database: Database, asked: KeysAsked): Promise<KeyPage> {
  const { description, state, limit } = asked;
  const found: KeyRow[] = [];
  let after = asked.after;
  for (let round = 0; round < ROUNDS; round++) {
    const keys = await candidates(database, { ...asked, after });
    const rows = await keysNamed(database, description, keys);
    for (const row of rows) {
      if (state !== undefined && row.state !== state) continue;
      if (found.length === limit) return { keys: found, after: found.at(-1)!.key };
      found.push(row);
    }
    if (keys.length < LOOKED_AT) return { keys: found, after: null };
    after = keys.at(-1)!;
  }
  return { keys: found, after };
}

/** The keys that may be in a state, in order; those that are in runs meanwhile are among them. */
async function candidates(
  database: Database,
  { description, state, begins, from = "", after }: KeysAsked,
): Promise<readonly string[]> {
  const { pipeline } = description;
  const values: unknown[] = [pipeline, after, from > begins ? from : begins, `${begins}${END}`, LOOKED_AT];
  const rows = async (statement: Statement, more: readonly unknown[] = []) =>
    (await database.query<{ key: string }>(statement, [...values, ...more])).map((row) => row.key);
  switch (state) {
    case undefined:
      return await rows(ANY);
    case "running":
    case "queued":
      return await rows(LIVE);
    case "failed":
    case "cancelled":
      return await rows(FAILURES, [state]);
    case "missing":
      return await rows(MISSING);
    case "done":
    case "stale":
      return await rows(CODED, [await codesOf(database, description, state)]);
    default:
      return state satisfies never;
  }
}

/** Names have no characters beyond. */
const END = "~";

/** Which of what a pipeline's keys were done with is its present code, or isn't. */
async function codesOf(
  database: Database,
  description: DescribedPipeline,
  state: "done" | "stale",
): Promise<readonly string[]> {
  const codes = await database.query<{ code: string; hashes: KeyFacts["hashes"] }>(CODES, [description.pipeline]);
  const alike = { live: null, failure: null, failedStep: null };
  return codes.filter(({ hashes }) => keyStateOf({ hashes, ...alike }, description) === state).map(({ code }) => code);
}

const CODES = {
  name: "page-key-codes",
  text: "select code, hashes from orca.key_codes where pipeline = $1 order by code limit 1000",
};
const WITHIN = `pipeline = $1 and key > $2 collate "C" and key >= $3 collate "C" and key < $4 collate "C"`;
const ANY = { name: "page-keys-any", text: `select key from orca.keys where ${WITHIN} order by key limit $5` };
const LIVE = {
  name: "page-keys-live",
  text: `select distinct key from (select key from orca.run_keys where ${WITHIN} and is_live order by key limit $5) k order by key`,
};
const FAILURES = {
  name: "page-keys-failures",
  text: `select key from orca.key_failures where ${WITHIN} and status = $6 order by key limit $5`,
};
const MISSING = {
  name: "page-keys-missing",
  text: `select key from orca.keys where ${WITHIN} and code is null order by key limit $5`,
};
const CODED = {
  name: "page-keys-coded",
  text: `
    select key from unnest($6::uuid[]) as given (code) cross join lateral (
      select key from orca.keys where ${WITHIN} and code = given.code order by key limit $5) k
    order by key limit $5`,
};

/** All keys of a state: for what is done to all of them. @param max more are refused by whoever asks. */
export async function keysInState(
  database: Database,
  asked: Pick<KeysAsked, "description" | "state" | "begins">,
  max: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after: string | null = ""; after !== null && found.length <= max;) {
    const page: KeyPage = await listKeys(database, { ...asked, after, limit: LOOKED_AT });
    found.push(...page.keys.map((row) => row.key));
    after = page.after;
  }
  return found;
}
