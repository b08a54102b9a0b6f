/** The paths that forms post to. */
import type { Context, Hono } from "hono";
import { wantsJson } from "../answers.tsx";
import { formOf } from "../form.ts";
import { Query } from "../query.ts";
import { tellNext } from "../read-frame.ts";
import { actorOf, type SessionOptions } from "../session/visitor.ts";
import { partOf, type Source } from "../view.ts";
import type { Act } from "./act.ts";
import { cancelActs } from "./cancel-acts.ts";
import { pipelineActs } from "./pipeline-acts.ts";
import { runActs } from "./run-acts.ts";

export const ACTS: readonly Act[] = [...pipelineActs, ...runActs, ...cancelActs];

export function addActs(app: Hono, options: Source & SessionOptions): void {
  for (const { path, act } of ACTS)
    app.post(path, async (context) => {
      const actor = await actorOf(context, options);
      const form = await fieldsOf(context);
      const done = await act({ ...options, actor, form, part: (name) => partOf(context, name) });
      if (wantsJson(context)) return context.json(done);
      tellNext(context, done.told);
      return context.redirect(done.to, 303);
    });
}

async function fieldsOf(context: Context): Promise<Query> {
  const params = new URLSearchParams();
  for (const [name, value] of await formOf(context)) if (typeof value === "string") params.append(name, value);
  return new Query(params);
}
