/** The UI over a database of its own, as tests ask it. */
import { testScheduler, type TestScheduler } from "../state/scheduler.fixture.ts";
import { makeUi, type UiOptions } from "./app.ts";

export interface TestUi extends TestScheduler {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** A page's markup. */
  page(path: string): Promise<string>;
  /** What a path answers as JSON. */
  json(path: string): Promise<unknown>;
  /** As a page of this site would post it, unless the headers say otherwise; without a form, there is no body. */
  post(
    path: string,
    form: Readonly<Record<string, string>> | undefined,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ): Promise<Response>;
  /** What the UI was made with. */
  readonly options: UiOptions;
  /** What went wrong on the server's side. */
  readonly warnings: string[];
}

const HOST = "127.0.0.1:8270";
const ORIGIN = `http://${HOST}`;

/** @param options instead of what is usual: no login is required, no proxy is trusted, and it is noon of 1 June 2024. */
export async function testUi(options: Partial<UiOptions> = {}): Promise<TestUi> {
  const scheduler = await testScheduler();
  const warnings: string[] = [];
  const made: UiOptions = {
    database: scheduler.database,
    databaseUrl: scheduler.test.url,
    now: () => new Date("2024-06-01T12:00:00Z"),
    staleMs: 30_000,
    logs: undefined,
    publicUrl: undefined,
    docsUrl: undefined,
    version: "0.0.0",
    preview: undefined,
    isLoginRequired: false,
    hasSecureCookies: false,
    trustsProxy: false,
    warn: (sentence) => void warnings.push(sentence),
    ...options,
  };
  const ui = makeUi(made);
  const env = { incoming: { socket: { remoteAddress: "10.0.0.9", remotePort: 1, remoteFamily: "IPv4" } } };
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    await ui.app.request(path, { headers: { host: HOST, ...headers } }, env);
  return {
    ...scheduler,
    options: made,
    warnings,
    get,
    page: async (path) => await (await get(path)).text(),
    json: async (path) => await (await get(path, { accept: "application/json" })).json(),
    post: async (path, form, headers = {}, method = "POST") =>
      await ui.app.request(
        path,
        {
          method,
          body: form === undefined ? null : new URLSearchParams(form),
          headers: { host: HOST, origin: ORIGIN, ...headers },
        },
        env,
      ),
    async [Symbol.asyncDispose]() {
      await ui[Symbol.asyncDispose]();
      await scheduler[Symbol.asyncDispose]();
    },
  };
}
