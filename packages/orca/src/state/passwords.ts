/** Passwords: which may be set, and whether one is a user's. They are kept as bcrypt hashes, which Postgres makes. */
import { OrcaError } from "../core/errors.ts";
import type { Database } from "./database.ts";

/** Characters, as a person counts them. */
const LENGTH_MIN = 8;
/** What bcrypt reads of a password, in bytes: two that are the same so far are the same password to it. */
const BYTES_MAX = 72;

/** A bcrypt hash, of the same cost as users' are, that is no password's that anyone knows. */
const NOBODYS_HASH = "$2a$10$CQ/hTnYsCLIehobvNyVxIONhRk8mFHkmzHc6HCddrTZivqeuqmXiS";

/**
 * Makes the hash that is kept of a password.
 *
 * @throws OrcaError `invalid-user` with what is wrong with the password.
 */
export async function hashOfPassword(database: Database, text: string): Promise<string> {
  const password = normalized(text);
  const fault = faultIn(password);
  if (fault !== undefined) throw new OrcaError("invalid-user", `the password ${fault}`);
  const [row] = await database.query<{ hash: string }>(HASH, [password]);
  return row!.hash;
}

const HASH = { name: "hash-password", text: "select orca.hash_of_password($1) as hash" };

/** Whether a text is the password of a hash. It takes as long where there is no hash, and where no password can be so. */
export async function isPassword(database: Database, text: string, hash: string | undefined): Promise<boolean> {
  const password = normalized(text);
  const isPossible = hash !== undefined && faultIn(password) === undefined;
  const [row] = await database.query<{ is: boolean }>(IS, isPossible ? [password, hash] : ["", NOBODYS_HASH]);
  return isPossible && row!.is;
}

const IS = { name: "is-password", text: `select orca.is_password($1, $2) as "is"` };

/** Keyboards write one letter in different ways. */
function normalized(text: string): string {
  return text.normalize("NFC");
}

/** What is wrong with a password, as the end of a sentence. */
function faultIn(password: string): string | undefined {
  const [length, bytes] = [Array.from(password).length, Buffer.byteLength(password)];
  if (/\p{Cc}/u.test(password) || !password.isWellFormed())
    return "has a character that can't be typed everywhere, such as a tab or a line's end";
  if (length < LENGTH_MIN) return `has ${length} characters: it takes at least ${LENGTH_MIN}`;
  if (bytes > BYTES_MAX)
    return `is ${bytes} bytes long: bcrypt, which hashes it, reads no more than ${BYTES_MAX}, so that it takes a shorter one`;
  return undefined;
}
