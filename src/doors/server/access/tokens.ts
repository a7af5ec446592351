import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { codeMsMax } from "../limits.ts";
import type { Tokens } from "./access.ts";

/** 256 bits, as text for an address. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function openTokens(token: string, now: () => number = Date.now): Tokens {
  const codes = new Map<string, number>();
  return {
    admits(given) {
      const givenAt = codes.get(given);
      codes.delete(given);
      if (givenAt !== undefined) return now() - givenAt < codeMsMax;
      return isSame(given, token);
    },
    giveCode() {
      for (const [code, givenAt] of codes) if (now() - givenAt >= codeMsMax) codes.delete(code);
      const code = newToken();
      codes.set(code, now());
      return code;
    },
  };
}

// Of equal length, so that the time it takes says nothing of the token.
function isSame(given: string, token: string): boolean {
  const sum = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(sum(given), sum(token));
}
