import path from "node:path";
import { anything, canMeet, inName, literal, oneOfName, type Glob } from "./glob-meet.ts";
import type { RulePlace } from "./rule-place.ts";

/** How many `**` between folders a pattern may have: each doubles the work. More make it speak of everything. */
const FOLDER_HOLES_MAX = 8;

/**
 * Whether a pattern of a rule can speak of a path, which may have holes. As in .gitignore: a folder stands for all that is in
 * it, and a name without a slash is one at any depth. `//x` is absolute, `~/x` in the user's home, the rest below the
 * working directory.
 */
export function pathMatcher(pattern: string, place: RulePlace): (file: Glob) => boolean {
  const globs = rooted(pattern.replace(/(?<=[^/])\/+$/, ""), place).flatMap((text) => {
    // `x/**` is all that is in x; whoever names x means that, too.
    const whole = text.replace(/(?<=[^/])(?:\/\*\*)+$/, "");
    return withoutFolderHoles(fold(whole, place)).map(toGlob);
  });
  const withContents = globs.flatMap((glob): Glob[] => [glob, [...glob, "/", anything]]);
  return (file) => withContents.some((glob) => canMeet(glob, file));
}

/** The one file that a pattern names by its path, if it does; a name at any depth is the one in the working directory. */
export function filesNamedBy(pattern: string, place: RulePlace): string[] {
  if (/[*?[\\]/.test(pattern)) return [];
  return rooted(pattern, place).map((file) => file.replace("/**/", "/").replace(/\\(.)/g, "$1"));
}

/** As the disk compares names. */
export function fold(text: string, { isCaseBlind }: RulePlace): string {
  return isCaseBlind ? text.normalize("NFC").toLowerCase() : text;
}

function rooted(pattern: string, { cwds, userHomes }: RulePlace): string[] {
  if (pattern.startsWith("//")) return [path.posix.normalize(pattern.slice(1))];
  const inHome = /^~(?:\/|$)/.exec(pattern)?.[0];
  if (inHome !== undefined) return userHomes.map((home) => below(home, pattern.slice(inHome.length)));
  const relative = pattern.replace(/^(?:\.?\/)+/, "");
  const isAnywhere = !relative.includes("/") && relative === pattern && relative !== "" && relative !== ".";
  return cwds.map((cwd) => below(cwd, isAnywhere ? `**/${relative}` : relative));
}

// What a folder is called is no pattern.
function below(folder: string, rest: string): string {
  const escaped = folder.replace(/[\\*?[]/g, "\\$&").replace(/\/$/, "");
  return path.posix.normalize(`${escaped}/${rest}`).replace(/(?<=.)\/$/, "");
}

// `**/` stands for no folder, or for any: a pattern for each.
function withoutFolderHoles(pattern: string): string[] {
  const pieces = pattern.replace(/(?:\*\*\/)+/g, "**/").split("**/");
  if (pieces.length > FOLDER_HOLES_MAX) return ["**"];
  return pieces
    .slice(1)
    .reduce((texts, piece) => texts.flatMap((text) => [text + piece, `${text}**/${piece}`]), [pieces[0]!]);
}

const TOKEN = /\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|\\[^]|[^]/gu;

function toGlob(pattern: string): Glob {
  return [...pattern.matchAll(TOKEN)].flatMap(([token]): Glob => {
    if (token === "**") return [anything];
    if (token === "*") return [inName];
    if (token === "?") return [oneOfName];
    if (token.length > 2 && token.startsWith("[")) return [{ has: classOf(token) }];
    return literal(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
  });
}

function classOf(token: string): (character: string) => boolean {
  const isNegated = token[1] === "!" || token[1] === "^";
  const members = Array.from(token.slice(isNegated ? 2 : 1, -1));
  const isMember = (character: string): boolean =>
    members.some((member, index) => {
      const isRange = members[index + 1] === "-" && index + 2 < members.length;
      return isRange ? member <= character && character <= members[index + 2]! : member === character;
    });
  return (character) => isMember(character) !== isNegated;
}
