/** Postgres's protocol, as far as a proxy needs it: https://www.postgresql.org/docs/current/protocol-message-formats.html */

/** A message as it was sent. */
export interface Message {
  /** Its first byte as a letter; `""` for the message that starts a connection, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Cuts what comes over a connection into messages. */
export class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #isStarted: boolean;

  /** @param isStarted false for what a client sends, which begins with a message without a type. */
  constructor(isStarted: boolean) {
    this.#isStarted = isStarted;
  }

  /** The messages that are whole with these bytes. */
  add(bytes: Buffer): readonly Message[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const whole: Message[] = [];
    for (;;) {
      const typeLength = this.#isStarted ? 1 : 0;
      if (this.#rest.length < typeLength + 4) return whole;
      const length = typeLength + this.#rest.readInt32BE(typeLength);
      if (this.#rest.length < length) return whole;
      whole.push({ type: this.#rest.toString("latin1", 0, typeLength), bytes: this.#rest.subarray(0, length) });
      this.#rest = this.#rest.subarray(length);
      this.#isStarted = true;
    }
  }
}

/** Whether the server answers after it, up to `ReadyForQuery`: a simple query, `Sync`, and the start. */
export function isAnswered({ type }: Message): boolean {
  return type === "" || type === "Q" || type === "S";
}

/**
 * What a request is called: the name of its prepared statement, or the first words of its text; `connect` for the start of a connection.
 *
 * @param messages up to one that is answered.
 */
export function nameOfRequest(messages: readonly Message[]): string {
  for (const { type, bytes } of messages) {
    if (type === "") return "connect";
    if (type === "Q") return firstWords(textAt(bytes, 5));
    if (type !== "P" && type !== "B") continue;
    const first = textAt(bytes, 5); // of Parse the statement, of Bind the portal
    const second = textAt(bytes, 6 + Buffer.byteLength(first));
    const named = type === "P" ? first : second;
    if (named !== "") return named;
    if (type === "P") return firstWords(second);
  }
  return "other";
}

function textAt(bytes: Buffer, start: number): string {
  return bytes.toString("utf8", start, bytes.indexOf(0, start));
}

function firstWords(sql: string): string {
  return sql
    .trim()
    .split(/[\s(]+/, 3)
    .join(" ");
}
