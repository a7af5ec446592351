import path from "node:path";
import { RE2JS } from "re2js";

export interface GlobPattern {
  /** The folder that holds everything the pattern can name. */
  root: string;
  /** Whether the path (from the root, with slashes) is one of those. */
  matches(relativePath: string): boolean;
}

/**
 * Understands `*`, `?`, `**`, `[a-z]`, `[!a]` and `{a,b}`; names that begin with a dot are names like others. The engine
 * takes time in proportion to the path, so that no pattern can hang the process. Throws on one that makes no sense.
 */
export function parseGlob(pattern: string, { cwd }: { cwd: string }): GlobPattern {
  const segments = pattern.split("/");
  const fixed = segments.slice(0, -1).findIndex((segment) => /[*?[{\\]/.test(segment));
  const prefix = segments.slice(0, fixed < 0 ? segments.length - 1 : fixed);
  const rest = segments.slice(prefix.length).join("/");
  const expression = RE2JS.compile(toExpression(rest));
  const root = path.resolve(cwd, prefix.length === 1 && prefix[0] === "" ? "/" : prefix.join("/"));
  return { root, matches: (relativePath) => expression.matches(relativePath) };
}

/** A pattern as Grep takes it to choose files: without a slash it is about the name alone. */
export function parseFileFilter(pattern: string): (relativePath: string) => boolean {
  const expression = RE2JS.compile(toExpression(pattern.includes("/") ? pattern : `**/${pattern}`));
  return (relativePath) => expression.matches(relativePath);
}

const TOKEN = /\*\*\/|\*\*|\*|\?|\[[!^]?\]?[^\]]*\]|\{|\}|,|\\.|[^]/g;

function toExpression(pattern: string): string {
  let depth = 0;
  const parts = [...pattern.matchAll(TOKEN)].map(([token]) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 1 && token.startsWith("[")) return toClass(token);
    if (token === "{") {
      depth++;
      return "(?:";
    }
    if (token === "}" && depth > 0) {
      depth--;
      return ")";
    }
    if (token === "," && depth > 0) return "|";
    return RE2JS.quote(token.length === 2 && token.startsWith("\\") ? token.slice(1) : token);
  });
  return `(?s)${parts.join("")}${")".repeat(depth)}`;
}

function toClass(token: string): string {
  const isNegated = token[1] === "!" || token[1] === "^";
  const members = token.slice(isNegated ? 2 : 1, -1).replace(/[\\[\]^]/g, "\\$&");
  return isNegated ? `[^/${members}]` : `[${members}]`;
}
