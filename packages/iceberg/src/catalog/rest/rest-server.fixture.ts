import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ObjectStoreOptions } from "@orcajs/objectstore";
import { TableFiles } from "../../files/table-files.ts";
import { stringifyJson } from "../../json/json.ts";
import { RestBackend } from "./rest-backend.fixture.ts";
import { failure, type RestReply, type RestRequest } from "./rest-messages.fixture.ts";

/** What a fault does to a request: nothing is applied unless it says so. */
export type RestFault =
  | {
      readonly do: "answer";
      readonly status: number;
      readonly type?: string;
      readonly isApplied?: boolean;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly do: "reset"; readonly isApplied: boolean }
  /** Waits until the promise is settled, and goes on as usual. */
  | { readonly do: "wait"; readonly until: Promise<unknown> }
  | { readonly do: "say"; readonly text: string; readonly contentType: string; readonly isApplied: boolean };

export interface RestServerOptions {
  /** Where tables' files are. */
  readonly warehouse: string;
  readonly store?: ObjectStoreOptions;
  readonly prefix?: string | undefined;
  /** `id:secret`: requests need a token that was given for it. */
  readonly credential?: string;
  /** How long tokens are valid, as they say. */
  readonly tokenSeconds?: number;
  /** A token that requests need. */
  readonly token?: string;
  readonly defaults?: Readonly<Record<string, string>>;
  /** What comes with a table that is loaded or created, beside its metadata. */
  readonly withTable?: () => object;
}

/** A REST catalog on the loopback, over tables as a folder has them, with faults. */
export interface RestServer extends AsyncDisposable {
  readonly endpoint: string;
  readonly requests: RestRequest[];
  readonly files: TableFiles;
  /** Makes a fault of the next requests that it is for. */
  fail(when: (request: RestRequest) => boolean, ...faults: readonly RestFault[]): void;
  /** Refuses the tokens that were given. */
  revokeTokens(): void;
}

export async function startRest(options: RestServerOptions): Promise<RestServer> {
  const { prefix, credential, tokenSeconds = 3600 } = options;
  const files = new TableFiles(options.store);
  const backend = new RestBackend(options.warehouse, files, options.withTable ?? (() => ({})));
  const requests: RestRequest[] = [];
  const faults: { when: (request: RestRequest) => boolean; fault: RestFault }[] = [];
  const tokens = new Set(options.token === undefined ? [] : [options.token]);
  const needsToken = credential !== undefined || options.token !== undefined;

  const answer = async (request: RestRequest): Promise<RestReply> => {
    const isOpen = request.path === "/v1/oauth/tokens";
    if (isOpen) return giveToken(request.text);
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (needsToken && !tokens.has(token)) return failure(401, "NotAuthorizedException");
    if (request.path === "/v1/config")
      return {
        status: 200,
        json: { defaults: options.defaults ?? {}, overrides: prefix === undefined ? {} : { prefix } },
      };
    const base = prefix === undefined ? "/v1/" : `/v1/${prefix}/`;
    if (!request.path.startsWith(base)) return failure(404, "NoSuchRouteException");
    return await backend.answer({ ...request, path: request.path.slice(base.length - 1) });
  };

  const giveToken = (text: string): RestReply => {
    const form = new URLSearchParams(text);
    const given = `${form.get("client_id")}:${form.get("client_secret")}`;
    if (form.get("grant_type") !== "client_credentials" || form.get("scope") === null || given !== credential)
      return { status: 401, json: { error: "invalid_client" } };
    const token = randomUUID();
    tokens.add(token);
    return { status: 200, json: { access_token: token, token_type: "bearer", expires_in: tokenSeconds } };
  };

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(message.url!, "http://rest");
    const text = await textOf(message);
    const request = { method: message.method!, path: pathname, query, headers: message.headers, text };
    requests.push(request);
    const at = faults.findIndex(({ when }) => when(request));
    const fault = at === -1 ? undefined : faults.splice(at, 1)[0]!.fault;
    if (fault?.do === "wait") await fault.until;
    const isApplied = fault === undefined || fault.do === "wait" || fault.isApplied === true;
    const reply = isApplied ? await answer(request) : undefined;
    if (fault?.do === "reset") response.socket!.resetAndDestroy();
    else if (fault?.do === "answer")
      send(response, { ...failure(fault.status, fault.type ?? "MadeByTheTest"), headers: fault.headers });
    else if (fault?.do === "say") response.writeHead(200, { "content-type": fault.contentType }).end(fault.text);
    else send(response, reply!);
  };
  const server = createServer((message, response) => {
    serve(message, response).catch((error: unknown) => send(response, failure(500, String(error))));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    files,
    fail: (when, ...more) => faults.push(...more.map((fault) => ({ when, fault }))),
    revokeTokens: () => tokens.clear(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await files[Symbol.asyncDispose]();
    },
  };
}

function send(response: ServerResponse, { status, json, headers }: RestReply): void {
  response.writeHead(status, { ...headers, ...(json !== undefined && { "content-type": "application/json" }) });
  response.end(json === undefined ? undefined : stringifyJson(json));
}

async function textOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
