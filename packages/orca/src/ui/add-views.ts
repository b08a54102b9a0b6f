/** The pages' paths: each answers as a page, or as JSON of the same rows. */
import type { Context, Hono } from "hono";
import { pageAnswer, wantsJson } from "./answers.tsx";
import type { Frame } from "./look/frame.ts";
import { partOf, queryOf, type Asked } from "./view.ts";
import { VIEWS } from "./views.ts";

export function addViews(
  app: Hono,
  source: Omit<Asked, "part" | "query">,
  frameOf: (context: Context) => Promise<Frame>,
  assets: string,
): void {
  for (const view of VIEWS)
    app.get(view.path, async (context) => {
      const asked: Asked = { ...source, part: (name) => partOf(context, name), query: queryOf(context) };
      if (wantsJson(context)) return context.json((await view.read(asked)) as object);
      const [data, frame] = await Promise.all([view.read(asked), frameOf(context)]);
      return await pageAnswer(context, view.show(data, frame, asked), frame, assets);
    });
}
