import type { MiddlewareHandler } from "hono";

// Everything that is shown is data: what a task or a transcript holds can neither run nor load nor frame anything.
const pageCsp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types holdfast",
].join("; ");

const always: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** The headers of every answer, also of a refusal. A handler may set a stricter policy, or a longer life, of its own. */
export const secureHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  for (const [name, value] of Object.entries(always)) headers.set(name, value);
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", pageCsp);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
};
