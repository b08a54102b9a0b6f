import { EventEmitter, once } from "node:events";
import { buildApp } from "fauxqs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { listing } from "./s3-listing.fixture.ts";

/** What a fault does to a request: nothing is applied unless it says so. */
export type Fault =
  | {
      readonly do: "answer";
      readonly status: number;
      readonly code: string;
      readonly isApplied?: boolean;
      readonly text?: string;
    }
  | { readonly do: "reset"; readonly isApplied: boolean }
  /** Applied and answered, but only so many bytes of the body come; then the connection is reset, or ended as if all was well. */
  | { readonly do: "cut"; readonly bytes: number; readonly by: "reset" | "end" }
  | { readonly do: "corrupt" }
  /** Waits until the promise is settled, and goes on as usual. */
  | { readonly do: "wait"; readonly until: Promise<unknown> };

/** A request as a fault's `when` sees it. */
export interface S3Request {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: number;
}

/** A stand-in for S3 on the loopback. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  readonly requests: S3Request[];
  /** The ids of uploads that are neither completed nor aborted. */
  readonly uploads: ReadonlySet<string>;
  /** Writes objects that hold their keys, as another program would. */
  seed(keys: readonly string[]): Promise<void>;
  /** Settles when so many such requests have come, those before the call included. */
  arrived(when: (request: S3Request) => boolean, count?: number): Promise<void>;
  /** Makes a fault of the next requests that it is for. */
  fail(when: (request: S3Request) => boolean, ...faults: readonly Fault[]): void;
}

export const ACCESS_KEY = "TESTACCESSKEY";
export const SECRET_KEY = "test-secret-key";

/** fauxqs with what it lacks: conditions under a lock for each key, keys of access, suffixes longer than an object, S3's order; and faults. */
export async function startS3(bucket: string): Promise<S3Server> {
  const app = buildApp({ logger: false });
  await app.ready();
  await app.inject({ method: "PUT", url: `/${bucket}` });
  const requests: S3Request[] = [];
  const uploads = new Set<string>();
  const faults: { when: (request: S3Request) => boolean; fault: Fault }[] = [];
  const arrivals = new EventEmitter();
  const locks = new Map<string, Promise<unknown>>();

  const inject = async (request: S3Request, url: string, payload: Buffer): Promise<Reply> => {
    const { "content-length": _, "transfer-encoding": __, ...headers } = request.headers;
    const path = url.split("?")[0]!;
    const writes = request.method === "PUT" || (request.method === "POST" && request.query.has("uploadId"));
    const unmet = writes ? await unmetCondition(request, path) : undefined;
    if (unmet !== undefined) return unmet;
    const suffix = /^bytes=-(\d+)$/.exec(headers.range ?? "");
    if (suffix !== null) {
      const size = Number((await app.inject({ method: "HEAD", url: path })).headers["content-length"]);
      if (size > 0 && Number(suffix[1]) > size) headers.range = `bytes=-${size}`;
    }
    if (request.method === "GET" && request.query.has("list-type")) {
      const page = async (query: URLSearchParams) =>
        (await app.inject({ method: "GET", url: `${path}?${query.toString()}` })).payload;
      return xml(200, await listing(page, request.query));
    }
    const reply = await app.inject({
      method: request.method as "GET",
      url,
      headers: headers as Record<string, string>,
      payload,
    });
    if (reply.statusCode === 200 && request.query.has("uploads"))
      uploads.add(/<UploadId>(.*?)<\/UploadId>/.exec(reply.payload)![1]!);
    const isEnd = request.method === "DELETE" || request.method === "POST";
    if (reply.statusCode < 300 && isEnd) uploads.delete(request.query.get("uploadId") ?? "");
    return { status: reply.statusCode, headers: reply.headers, body: reply.rawPayload };
  };

  const unmetCondition = async ({ headers }: S3Request, path: string): Promise<Reply | undefined> => {
    const [none, match] = [headers["if-none-match"], headers["if-match"]];
    if (none === undefined && match === undefined) return undefined;
    const there = await app.inject({ method: "HEAD", url: path });
    if (there.statusCode === 404) return match === undefined ? undefined : failure(404, "NoSuchKey");
    return none !== undefined || match !== there.headers.etag ? failure(412, "PreconditionFailed") : undefined;
  };

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const payload = await bodyOf(message);
    const url = message.url!;
    const { pathname, searchParams: query } = new URL(url, "http://s3");
    const key = decodeURIComponent(pathname).slice(bucket.length + 2);
    const request = { method: message.method!, key, query, headers: message.headers, bytes: payload.length };
    requests.push(request);
    arrivals.emit("request");
    const at = faults.findIndex(({ when }) => when(request));
    const fault = at === -1 ? undefined : faults.splice(at, 1)[0]!.fault;
    if (!message.headers.authorization?.includes(`Credential=${ACCESS_KEY}/`))
      return send(response, failure(403, "InvalidAccessKeyId"));
    if (fault?.do === "wait") await fault.until;
    const isApplied =
      fault === undefined || (fault.do !== "answer" && fault.do !== "reset") || fault.isApplied === true;
    const turn = (locks.get(key) ?? Promise.resolve()).then(() =>
      isApplied ? inject(request, url, payload) : undefined,
    );
    locks.set(
      key,
      turn.catch(() => undefined),
    );
    respond(response, (await turn) ?? failure(500, "InternalError"), fault);
  };

  const server = createServer((message, response) => {
    // a client that breaks off is none of the server's faults
    serve(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    uploads,
    async seed(keys) {
      for (const key of keys) await app.inject({ method: "PUT", url: `/${bucket}/${encodeURI(key)}`, payload: key });
    },
    async arrived(when, count = 1) {
      while (requests.filter(when).length < count) await once(arrivals, "request");
    },
    fail: (when, ...more) => faults.push(...more.map((fault) => ({ when, fault }))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.close();
    },
  };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

function respond(response: ServerResponse, reply: Reply, fault: Fault | undefined): void {
  switch (fault?.do) {
    case undefined:
    case "wait":
      return send(response, reply);
    case "answer":
      return send(
        response,
        fault.text === undefined ? failure(fault.status, fault.code) : xml(fault.status, fault.text),
      );
    case "reset":
      response.socket!.resetAndDestroy();
      return;
    case "corrupt":
      reply.body[0]! ^= 1;
      return send(response, reply);
    case "cut":
      response.writeHead(reply.status, {
        ...(reply.headers as Record<string, string>),
        "content-length": reply.body.length,
      });
      response.write(reply.body.subarray(0, fault.bytes), () =>
        fault.by === "reset" ? response.socket!.resetAndDestroy() : response.socket!.end(),
      );
      return;
    default:
      fault satisfies never;
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers as Record<string, string>);
  response.end(body);
}

function failure(status: number, code: string): Reply {
  return xml(status, `<Error><Code>${code}</Code><Message>made by the test</Message></Error>`);
}

function xml(status: number, text: string): Reply {
  const body = Buffer.from(text);
  return { status, headers: { "content-type": "application/xml", "content-length": body.length }, body };
}
