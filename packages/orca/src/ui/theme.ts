/** The theme that somebody chose, kept in a cookie: so it is there before the first paint. */
import type { Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Frame } from "./look/frame.ts";
import { formOf } from "./form.ts";
import { pathWithin } from "./protection.ts";

const COOKIE = "orca_theme";
const SECONDS = 400 * 86_400;

export function themeOf(context: Context): Frame["theme"] {
  const theme = getCookie(context, COOKIE);
  return theme === "light" || theme === "dark" ? theme : undefined;
}

/** `/theme`: takes a choice, and goes back to where it was made. */
export function takeThemes(app: Hono): void {
  app.post("/theme", async (context) => {
    const form = await formOf(context);
    const theme = form.get("theme");
    if (theme === "light" || theme === "dark")
      setCookie(context, COOKIE, theme, { path: "/", sameSite: "Strict", maxAge: SECONDS });
    else deleteCookie(context, COOKIE, { path: "/" });
    return context.redirect(pathWithin(form.get("back")), 303);
  });
}
