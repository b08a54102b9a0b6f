/** `orca ui`: serves the pages until it is stopped. */
import { serveUi } from "../ui/serve.ts";
import { warningsOf, type Terminal } from "./command-line.ts";
import { openDatabase } from "./database.ts";
import type { Environment } from "./environment.ts";
import { readPreview } from "./read-preview.ts";
import { onSignals } from "./signals.ts";
import { needsDatabase } from "./run-command.ts";
import { orcaVersion } from "./version.ts";

export async function uiCommand(environment: Environment, terminal: Terminal): Promise<void> {
  const place = needsDatabase(environment);
  await using open = await openDatabase(place, environment, warningsOf(terminal), { make: false, byIndex: true });
  const stopped = Promise.withResolvers<void>();
  using _ = onSignals(() => stopped.resolve());
  open.database.patienceMs = 0; // a page says that the database is away, rather than wait for it
  await using serving = await serveUi(environment.ORCA_UI_ADDR, {
    database: open.database,
    databaseUrl: open.url,
    now: () => environment.ORCA_NOW ?? new Date(),
    staleMs: environment.ORCA_STALE_SECONDS * 1000,
    logs: environment.ORCA_LOGS,
    publicUrl: environment.ORCA_UI_URL,
    isLoginRequired: environment.ORCA_UI_LOGIN !== undefined,
    hasSecureCookies: environment.ORCA_UI_SECURE_COOKIES,
    trustsProxy: environment.ORCA_UI_TRUST_PROXY,
    docsUrl: environment.ORCA_DOCS_URL,
    version: orcaVersion(),
    preview: (dataset) => readPreview(dataset, terminal.env),
    warn: warningsOf(terminal),
  });
  terminal.stdout.write(`the UI is at ${serving.address}; Ctrl-C stops it\n`);
  await stopped.promise;
}
