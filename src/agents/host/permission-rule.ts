import path from "node:path";
import type { PermissionRequest } from "../../tasks/ports.ts";

/** Where rules apply: paths in them are relative to the working directory, or begin at the user's home. */
export interface RulePlace {
  cwd: string;
  userHome: string;
}

/** The lists of the client's settings; a denied tool stays denied whatever allows it. */
export interface PermissionRules {
  allow: readonly string[];
  deny: readonly string[];
  ask: readonly string[];
}

/**
 * What the rules say of a tool: denied, to be asked about, allowed, in this order, or nothing. Forms: `Tool`, `Tool(*)`,
 * `Bash(words:*)`, `Bash(glob)`, `Read(path glob)`, `WebFetch(domain:host)`, `mcp__server` for all tools of a server.
 */
export function judge(
  request: Pick<PermissionRequest, "tool" | "input">,
  { allow, deny, ask }: PermissionRules,
  place: RulePlace,
): "allow" | "deny" | "ask" | undefined {
  const any = (rules: readonly string[], strictness: "all" | "some"): boolean =>
    rules.some((rule) => matches(rule, request, { place, strictness }));
  // Of a command that is made of several, one is enough to be denied, all must be allowed.
  if (any(deny, "some")) return "deny";
  if (any(ask, "some")) return "ask";
  return any(allow, "all") ? "allow" : undefined;
}

/** The rule that allows exactly what was asked for: this command, or this tool. */
export function ruleFor({ tool, input }: Pick<PermissionRequest, "tool" | "input">): string {
  return tool === "Bash" && typeof input["command"] === "string" ? `Bash(${input["command"]})` : tool;
}

function matches(
  rule: string,
  { tool, input }: Pick<PermissionRequest, "tool" | "input">,
  { place, strictness }: { place: RulePlace; strictness: "all" | "some" },
): boolean {
  const [, name = "", pattern] = /^([^()]+?)(?:\(([\s\S]*)\))?$/.exec(rule.trim()) ?? [];
  if (name !== tool && !(name.startsWith("mcp__") && tool.startsWith(`${name}__`))) return false;
  if (pattern === undefined || pattern === "" || pattern === "*") return true;
  if (typeof input["command"] === "string") return commandMatches(input["command"], pattern, strictness);
  if (pattern.startsWith("domain:")) return hostOf(input["url"]) === pattern.slice("domain:".length);
  const file = [input["file_path"], input["path"], input["notebook_path"]].find(
    (value) => typeof value === "string",
  );
  return file !== undefined && pathGlob(pattern, place).test(path.resolve(place.cwd, file));
}

// What joins commands, starts one inside another or writes to a file: a rule about the first word says nothing of it.
const JOINTS = /[;&|\n\r<>`]|\$\(/;

function commandMatches(command: string, pattern: string, strictness: "all" | "some"): boolean {
  if (command.trim() === pattern.trim()) return true;
  const test = (part: string): boolean => {
    if (!pattern.endsWith(":*")) return glob(pattern, ".*").test(part);
    const prefix = pattern.slice(0, -2);
    return part === prefix || part.startsWith(`${prefix} `);
  };
  if (strictness === "all") return !JOINTS.test(command) && test(command.trim());
  return command.split(JOINTS).some((part) => test(part.trim()));
}

function hostOf(url: unknown): string | undefined {
  try {
    return new URL(String(url)).hostname;
  } catch {
    return undefined;
  }
}

// `//x` is absolute, `~/x` in the user's home; else relative to the folder, and a bare name is one anywhere below it.
function pathGlob(pattern: string, { cwd, userHome }: RulePlace): RegExp {
  if (pattern.startsWith("//")) return glob(pattern.slice(1), "[^/]*");
  if (pattern.startsWith("~/")) return glob(path.join(userHome, pattern.slice(2)), "[^/]*");
  const relative = pattern.replace(/^\.?\//, "");
  const anywhere = relative.includes("/") || pattern !== relative ? "" : "**/";
  return glob(`${cwd.replace(/\/$/, "")}/${anywhere}${relative}`, "[^/]*");
}

// `**` goes through folders, `*` only if `star` does.
function glob(pattern: string, star: string): RegExp {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((piece) => {
      if (piece === "**/") return "(?:.*/)?";
      if (piece === "**") return ".*";
      if (piece === "*") return star;
      return piece === "?" ? "[^/]" : piece.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`, "s");
}
