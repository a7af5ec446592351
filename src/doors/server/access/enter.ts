import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { serverError } from "../errors.ts";
import { cookieMsMax } from "../limits.ts";
import { messagePage } from "../page/message-page.ts";
import type { Access } from "./access.ts";

/**
 * An address with a token: the browser gets its cookie, and goes on to the same address without the token. It goes on by
 * a page and not by a redirect: after a click in another site a redirect would come without the new cookie, because that is
 * `SameSite=Strict`. Undefined when the address has no token.
 */
export function enter(context: Context, { tokens, browsers, origin }: Access): Response | undefined {
  const { req } = context;
  const token = req.query("token");
  if (req.method !== "GET" || token === undefined || req.path.startsWith("/api/")) return undefined;
  const known = getCookie(context, browsers.cookieName);
  if (known === undefined || !browsers.knows(known)) {
    if (!tokens.admits(token))
      throw serverError(
        "no_token",
        "Cannot open this address: it was used before, or is of an earlier server; run holdfast open",
      );
    setCookie(context, browsers.cookieName, browsers.admit(), {
      httpOnly: true,
      sameSite: "Strict",
      secure: origin.startsWith("https:"),
      path: "/",
      maxAge: cookieMsMax / 1000,
    });
  }
  const address = new URL(req.url);
  address.searchParams.delete("token");
  // Never an address of another host: `//elsewhere` would be one.
  const next = `${address.pathname.replace(/^\/+/, "/")}${address.search}`;
  return context.html(messagePage({ title: "Holdfast", lines: ["Opening…"], next }));
}
