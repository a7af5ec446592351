import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { serverError } from "../errors.ts";
import type { Access } from "./access.ts";

/**
 * Refuses another name than ours, on every path: one that a stranger's server gives to this address (DNS rebinding) would let
 * its page ask here.
 */
export function checkHost({ req }: Context, { host, origin }: Access): void {
  const asked = req.header("host");
  if (asked !== host) throw serverError("wrong_host", `Cannot answer as "${asked ?? ""}": ask for ${origin}`);
}

/** Refuses what does not come from somebody who was let in; a write also when it is not from our page or a program. */
export function checkRequest(context: Context, access: Access): void {
  const { req } = context;
  const isWrite = req.method !== "GET" && req.method !== "HEAD";
  if (isWrite || req.path.startsWith("/api/")) checkOrigin(context, access);
  if (!isAdmitted(context, access))
    throw serverError(
      "no_token",
      "Cannot answer: open the address that holdfast up printed, or run holdfast open",
    );
  // A form of another page can neither send this header nor JSON.
  if (isWrite && req.header("x-holdfast") !== "1")
    throw serverError("wrong_origin", "Cannot take a write without the header X-Holdfast: 1");
}

// A program sends neither of these headers; a browser sends them, and no page can change them.
function checkOrigin({ req }: Context, { origin }: Access): void {
  const [from, site] = [req.header("origin"), req.header("sec-fetch-site")];
  if (from !== undefined && from !== origin)
    throw serverError("wrong_origin", `Cannot answer a page of "${from}": only that of ${origin}`);
  // `none` is what a person typed or opened.
  const isOwn = site === undefined || site === "same-origin" || (site === "none" && req.method === "GET");
  if (!isOwn)
    throw serverError("wrong_origin", `Cannot answer a page of another site: only that of ${origin}`);
}

function isAdmitted(context: Context, { tokens, browsers }: Access): boolean {
  const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
  if (bearer !== undefined) return tokens.admits(bearer);
  const cookie = getCookie(context, browsers.cookieName);
  return cookie !== undefined && browsers.knows(cookie);
}
