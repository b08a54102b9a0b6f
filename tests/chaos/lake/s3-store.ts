/** A lake in a stand-in for S3, and a proxy before it that stops at every request and every reply. */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request as ask, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { openCatalog } from "@orcajs/iceberg";
import { ACCESS_KEY, SECRET_KEY, startS3 } from "../../../packages/objectstore/src/s3/s3-server.fixture.ts";
import { type Guard, kindOf, type Store, type StoreFault, type StoreGate } from "./store.ts";

const REGION = "eu-west-1";
const BUCKET = "lake";

export async function s3Store(): Promise<Store> {
  const server = await startS3(BUCKET);
  const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
  return {
    open: (name) =>
      openCatalog(`s3://${BUCKET}/${name}`, { s3: { endpoint: server.endpoint, region: REGION, credentials } }),
    guard: (name, gate) => guarded(server.endpoint, name, gate),
    ownFiles: () => [],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function guarded(upstream: string, name: string, gate: StoreGate): Promise<Guard> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((message, response) => {
    // of a program that was killed meanwhile, the reply is of no use
    pass(message, response).catch(() => response.destroy());
  });
  const pass = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(message);
    const request = nameOfRequest(message);
    const refused = await gate(request, "before");
    if (refused !== undefined) return fail(response, refused);
    const reply = await forwarded(upstream, message, body, agent);
    const lost = await gate(request, "after");
    if (lost !== undefined) return fail(response, lost);
    response.writeHead(reply.message.statusCode!, reply.message.headers);
    response.end(reply.body);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    env: {
      ORCA_WAREHOUSE: `s3://${BUCKET}/${name}`,
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      agent.destroy();
    },
  };
}

interface Reply {
  readonly message: IncomingMessage;
  readonly body: Buffer;
}

async function forwarded(upstream: string, message: IncomingMessage, body: Buffer, agent: Agent): Promise<Reply> {
  const { method, headers } = message;
  const request = ask(new URL(message.url!, upstream), { method: method!, headers, agent });
  request.end(body);
  const [reply] = (await once(request, "response")) as [IncomingMessage];
  return { message: reply, body: await buffer(reply) };
}

function fail(response: ServerResponse, fault: StoreFault): void {
  if (fault === "reset") return void response.socket?.resetAndDestroy();
  const code = fault === "500" ? "InternalError" : "SlowDown";
  response.writeHead(Number(fault), { "content-type": "application/xml" });
  response.end(`<Error><Code>${code}</Code><Message>made by the suite</Message></Error>`);
}

function nameOfRequest({ method, url }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url!, "http://s3");
  if (searchParams.has("list-type")) return "store list";
  if (method === "POST" && searchParams.has("delete")) return "store delete files";
  return `store ${method!.toLowerCase()} ${kindOf(decodeURIComponent(pathname))}`;
}
