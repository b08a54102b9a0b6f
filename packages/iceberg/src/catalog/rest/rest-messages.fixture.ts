/** Requests and replies of the REST catalog that tests have. */
import type { IncomingMessage } from "node:http";

export interface RestRequest {
  readonly method: string;
  /** After the prefix: `/namespaces/a/tables/t`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** What a reply has: a JSON value, or nothing. */
export interface RestReply {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** "ErrorModel" */
export function failure(status: number, type: string, message = "made by the test"): RestReply {
  return { status, json: { error: { message, type, code: status } } };
}
