/** The UI as one application: which path answers what. */
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { setCookie } from "hono/cookie";
import type { Frame } from "./look/frame.ts";
import { errorAnswer, pageAnswer, wantsJson } from "./answers.tsx";
import { serveAssets } from "./assets.ts";
import { Changes } from "./live/changes.ts";
import { eventsAnswer } from "./live/events.ts";
import { serveLogs } from "./pages/attempt/log-routes.ts";
import { OrcaError } from "../core/errors.ts";
import { datasetFacts } from "../state/pages/dataset.ts";
import { unknownDataset } from "./pages/dataset/read-dataset.ts";
import { countKeys } from "../state/pages/done-keys.ts";
import { isForHere, isFromHere, pathWithin, protect } from "./protection.ts";
import { RememberedCounts } from "./key-counts.ts";
import { Previews, type ReadPreview } from "./previews.ts";
import { Query } from "./query.ts";
import { readFrame } from "./read-frame.ts";
import type { AnyView, Asked, Source } from "./view.ts";
import { addLogin, type LoginOptions } from "./session/login-routes.ts";
import { VIEWS } from "./views.ts";

export interface UiOptions extends Source, LoginOptions {
  /** Where the database is, to listen to it. */
  readonly databaseUrl: string;
  /** The public address, if there is one: requests may come from its pages. */
  readonly publicUrl: string | undefined;
  /** Where the documentation is. */
  readonly docsUrl: string | undefined;
  readonly version: string;
  /** Reads a dataset's first rows, by a process of its own; undefined where nothing can. */
  readonly preview: ReadPreview | undefined;
  /** Is told of what went wrong on the server's side. */
  readonly warn: (sentence: string) => void;
}

export interface Ui extends AsyncDisposable {
  readonly app: Hono;
}

/** Nothing that a page posts is longer. */
const BODY_MAX = 1_000_000;
const THEME_SECONDS = 400 * 86_400;

export function makeUi(options: UiOptions): Ui {
  const app = new Hono();
  const changes = new Changes(options.databaseUrl);
  const keyCounts = new RememberedCounts(
    (given) => countKeys(options.database, given),
    (pipeline) => changes.tell(`pipeline:${pipeline}`),
  );
  const previews = new Previews(options.preview, options.now);
  app.use(protect);
  app.use(async (context, next) => {
    const { method, raw } = context.req;
    if (!isForHere(raw.headers, options.publicUrl))
      throw new OrcaError(
        "usage",
        "this server isn't known by that name: if it is to be, set ORCA_UI_URL to its public address",
      );
    if (method !== "GET" && method !== "HEAD" && !isFromHere(raw.headers, options.publicUrl))
      throw new OrcaError("usage", "this request doesn't come from a page of this site, so nothing is done");
    await next();
  });
  app.use(
    bodyLimit({
      maxSize: BODY_MAX,
      onError: () => {
        throw new OrcaError("usage", "what was sent is too long");
      },
    }),
  );
  const assets = serveAssets(app);
  const frameOf = (context: Context) => readFrame(context, options);

  for (const view of VIEWS)
    app.get(view.path, (context) => viewAnswer(context, view, { ...options, keyCounts, previews }, frameOf, assets));
  addLogin(app, options, async (context, shown, status) =>
    pageAnswer(context, shown, await frameOf(context), assets, status),
  );
  serveLogs(app, options);
  app.post("/datasets/:name/preview", async (context) => {
    const name = context.req.param("name");
    if ((await datasetFacts(options.database, name)) === undefined) throw unknownDataset(name);
    await previews.read(name);
    return context.redirect(`/datasets/${encodeURIComponent(name)}#preview`, 303);
  });
  app.get("/events", (context) => eventsAnswer(context, queryOf(context), changes));
  app.post("/theme", async (context) => {
    const form = await context.req.formData();
    const theme = form.get("theme");
    if (theme === "light" || theme === "dark")
      setCookie(context, "orca_theme", theme, { path: "/", sameSite: "Strict", maxAge: THEME_SECONDS });
    else setCookie(context, "orca_theme", "", { path: "/", sameSite: "Strict", maxAge: 0 });
    return context.redirect(pathWithin(form.get("back")), 303);
  });
  app.notFound(async (context) => {
    const error = new OrcaError("unknown-page", `there is no page ${context.req.path}`);
    return errorAnswer(context, error, await frameOf(context), assets, options.warn);
  });
  app.onError(async (error, context) => errorAnswer(context, error, await frameOf(context), assets, options.warn));
  return { app, [Symbol.asyncDispose]: () => changes[Symbol.asyncDispose]() };
}

async function viewAnswer(
  context: Context,
  view: AnyView,
  source: Source & Pick<Asked, "keyCounts" | "previews">,
  frameOf: (context: Context) => Promise<Frame>,
  assets: string,
): Promise<Response> {
  const asked: Asked = {
    ...source,
    part: (name) => {
      const part = context.req.param(name);
      if (part === undefined) throw new Error(`${view.path} has no part ${name}`);
      return part;
    },
    query: queryOf(context),
  };
  if (wantsJson(context)) return context.json((await view.read(asked)) as object);
  const [data, frame] = await Promise.all([view.read(asked), frameOf(context)]);
  return await pageAnswer(context, view.show(data, frame, asked), frame, assets);
}

function queryOf(context: Context): Query {
  return new Query(new URL(context.req.url).searchParams);
}
