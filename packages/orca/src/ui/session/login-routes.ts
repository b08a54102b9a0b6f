/** `/login` and `/logout`. */
import type { Context, Hono } from "hono";
import { logIn } from "../../state/login.ts";
import { endSession } from "../../state/sessions.ts";
import { wantsJson } from "../answers.tsx";
import { formOf } from "../form.ts";
import type { Shown } from "../look/shell.tsx";
import { LoginPage } from "../pages/login.tsx";
import { pathWithin } from "../protection.ts";
import { addressOf } from "./address.ts";
import { forgetSession, setSession, tokenOf, type SessionOptions } from "./visitor.ts";

export interface LoginOptions extends SessionOptions {
  /** Whether `X-Forwarded-For` is believed. */
  readonly trustsProxy: boolean;
}

/** No password is longer, and hashing what is takes time. */
const FIELD_MAX = 1_024;

/** @param page answers with a page. */
export function addLogin(
  app: Hono,
  options: LoginOptions,
  page: (context: Context, shown: Shown, status: 200 | 401 | 429) => Promise<Response>,
): void {
  app.get("/login", (context) => page(context, LoginPage({ back: pathWithin(context.req.query("back")) }), 200));
  app.post("/login", async (context) => {
    const form = await formOf(context);
    const [name, password] = [fieldOf(form, "name"), fieldOf(form, "password")];
    const back = pathWithin(form.get("back"));
    const login = await logIn(options.database, { name, password, address: addressOf(context, options.trustsProxy) });
    if (login.kind === "logged-in") {
      setSession(context, login, options);
      return wantsJson(context) ? context.json({ user: login.user }) : context.redirect(back, 303);
    }
    const isThrottled = login.kind === "throttled";
    const error = isThrottled
      ? `Too many tries. Wait ${Math.ceil(login.retryAfterSeconds / 60)} minutes.`
      : "No user has this name and password.";
    if (isThrottled) context.header("Retry-After", String(login.retryAfterSeconds));
    const status = isThrottled ? 429 : 401;
    if (wantsJson(context)) return context.json({ error: { code: login.kind, message: error } }, status);
    return await page(context, LoginPage({ back, name, error, isThrottled }), status);
  });
  app.post("/logout", async (context) => {
    const token = tokenOf(context, options);
    if (token !== undefined) await endSession(options.database, token);
    forgetSession(context, options);
    return context.redirect("/", 303);
  });
}

function fieldOf(form: FormData, name: string): string {
  const field = form.get(name);
  return typeof field === "string" ? field.slice(0, FIELD_MAX) : "";
}
