/** Reading a dataset's first rows, as its page asks for it. */
import type { Hono } from "hono";
import { datasetHref } from "../../look/addresses.ts";
import type { Database } from "../../../state/database.ts";
import { datasetFacts } from "../../../state/pages/dataset.ts";
import type { Previews } from "../../previews.ts";
import { partOf } from "../../view.ts";
import { unknownDataset } from "./read-dataset.ts";

export function servePreviews(app: Hono, database: Database, previews: Previews): void {
  app.post("/datasets/:name/preview", async (context) => {
    const name = partOf(context, "name");
    if ((await datasetFacts(database, name)) === undefined) throw unknownDataset(name);
    await previews.read(name);
    return context.redirect(`${datasetHref(name)}#preview`, 303);
  });
}
