/** What a page's form sends. */
import type { Context } from "hono";
import { OrcaError } from "../core/errors.ts";

/** What is sent without a body is a form without fields. @throws OrcaError `usage` for a body that isn't a form's. */
export async function formOf(context: Context): Promise<FormData> {
  if (context.req.header("content-type") === undefined && (await context.req.text()) === "") return new FormData();
  try {
    return await context.req.formData();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // what is too long, or was cut off
    throw new OrcaError("usage", "what was sent isn't a form: send fields as application/x-www-form-urlencoded", {
      cause: error,
    });
  }
}
