/** The UI as one application: which path answers what. */
import { Hono, type Context } from "hono";
import { OrcaError } from "../core/errors.ts";
import { countDone } from "../state/pages/done-keys.ts";
import { addActs } from "./acts/add-acts.ts";
import { addViews } from "./add-views.ts";
import { errorAnswer, pageAnswer } from "./answers.tsx";
import { serveAssets } from "./assets.ts";
import { RememberedCounts } from "./key-counts.ts";
import { Changes } from "./live/changes.ts";
import { eventsAnswer } from "./live/events.ts";
import { serveLogs } from "./pages/attempt/log-routes.ts";
import { servePreviews } from "./pages/dataset/preview-route.ts";
import { Previews, type ReadPreview } from "./previews.ts";
import { protect } from "./protection.ts";
import { readFrame } from "./read-frame.ts";
import { addLogin, type LoginOptions } from "./session/login-routes.ts";
import { takeThemes } from "./theme.ts";
import { queryOf, type Source } from "./view.ts";

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

export function makeUi(options: UiOptions): Ui {
  const { database, databaseUrl, warn } = options;
  const app = new Hono();
  const changes = new Changes(databaseUrl);
  const keyCounts = new RememberedCounts(
    (keys) => countDone(database, keys),
    (pipeline) => changes.tell(`pipeline:${pipeline}`),
  );
  const previews = new Previews(options.preview, options.now);
  protect(app, options.publicUrl);
  const assets = serveAssets(app);
  const frameOf = (context: Context) => readFrame(context, options);
  addViews(app, { ...options, keyCounts, previews }, frameOf, assets);
  addActs(app, options);
  addLogin(app, options, async (context, shown, status) =>
    pageAnswer(context, shown, await frameOf(context), assets, status),
  );
  serveLogs(app, options);
  servePreviews(app, database, previews);
  takeThemes(app);
  app.get("/events", (context) => eventsAnswer(context, queryOf(context), changes));
  app.notFound(async (context) => {
    const error = new OrcaError("unknown-page", `there is no page ${context.req.path}`);
    return errorAnswer(context, error, await frameOf(context), assets, warn);
  });
  app.onError(async (error, context) => errorAnswer(context, error, await frameOf(context), assets, warn));
  return { app, [Symbol.asyncDispose]: () => changes[Symbol.asyncDispose]() };
}
