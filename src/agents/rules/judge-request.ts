import type { PermissionRequest } from "../../tasks/ports.ts";
import { allows, forbids, worst, type Match } from "./command-rule.ts";
import type { CommandTree } from "./command-tree.ts";
import { changedFiles, namedFile, namedFiles, writtenFiles, type NamedFile } from "./named-files.ts";
import { filesIn } from "../runners/file-fields.ts";
import type { Glob } from "./glob-meet.ts";
import { hardLinkFinder } from "./hard-links.ts";
import { pathMatcher } from "./path-pattern.ts";
import { readCommand } from "./read-command.ts";
import { readRules, type Rule } from "./read-rule.ts";
import type { RulePlace } from "./rule-place.ts";

/** The lists of the client's settings; a denied tool stays denied whatever allows it. */
export interface PermissionRules {
  allow: readonly string[];
  deny: readonly string[];
  ask: readonly string[];
  /** What a person has allowed for good, as `approvalOf` names it: literally, never a pattern. */
  approved: readonly string[];
}

export type JudgedRequest = Pick<PermissionRequest, "tool" | "input" | "realPath">;

/**
 * What the rules say of a tool: denied, to be asked about, allowed, in this order, or nothing. What a rule may speak of,
 * though nobody can say before it runs, is asked about. Forms: `Tool`, `Tool(*)`, `Bash(words:*)`, `Bash(text with *)`,
 * `Read(path)`, `Edit(path)`, `WebFetch(domain:host)`, `Task(type)`, `mcp__server`, `mcp__server__*`.
 */
export async function judge(
  request: JudgedRequest,
  { allow, deny, ask, approved }: PermissionRules,
  place: RulePlace,
): Promise<"allow" | "deny" | "ask" | undefined> {
  const use = await openUse(request, place, [...allow, ...deny, ...ask]);
  const denied = use.forbidden(readRules(deny), { isReadToo: true });
  if (denied === "yes") return "deny";
  const asked = use.forbidden(readRules(ask), { isReadToo: false });
  if (asked === "yes") return "ask";
  const approval = approvalOf(request);
  if (approval !== undefined && approved.includes(approval)) return "allow";
  if (denied === "maybe" || asked === "maybe") return "ask";
  return use.isAllowed(readRules(allow)) ? "allow" : undefined;
}

/** Names exactly what was asked for: this command, or this tool. Undefined for a command that was not told. */
export function approvalOf({ tool, input }: Pick<PermissionRequest, "tool" | "input">): string | undefined {
  if (tool !== "Bash") return tool;
  return typeof input["command"] === "string" ? `Bash(${input["command"]})` : undefined;
}

/** A use of a tool, as rules can be held against it. */
interface ToolUse {
  forbidden(rules: readonly Rule[], options: { isReadToo: boolean }): Match;
  isAllowed(rules: readonly Rule[]): boolean;
}

async function openUse(
  { tool, input, realPath }: JudgedRequest,
  place: RulePlace,
  rules: readonly string[],
): Promise<ToolUse> {
  if (tool === "Bash") {
    const { command } = input;
    if (typeof command !== "string" || rules.length === 0 || !place.hasBash) return bashUse(undefined, place);
    return bashUse(await readCommand(command), place);
  }
  const files = filesIn(input).map((file) => namedFile(file, place, realPath));
  return otherUse(tool, { files, input, place });
}

const readers = new Set(["Read", "Grep", "Glob", "LS", "NotebookRead"]);
const changers = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit", "Delete", "Move"]);

// Without a tree nobody knows what the command does.
function bashUse(tree: CommandTree | undefined, place: RulePlace): ToolUse {
  return {
    forbidden(rules) {
      const matches = rules.map(({ tool, pattern }): Match => {
        if (tool === "Bash") {
          if (pattern === undefined) return "yes";
          return tree ? forbids(pattern, tree) : "maybe";
        }
        const isRead = tool === "Read" && pattern !== undefined;
        if (!isRead && tool !== "Edit" && tool !== "Write") return "no";
        if (!tree) return "maybe";
        const files = isRead ? namedFiles(tree, place) : changedFiles(tree, place);
        const speaks = speaksOf(pattern, files, place);
        return speaks === "no" && (tree.isBroken || tree.isHiding) ? "maybe" : speaks;
      });
      return worst(matches);
    },
    isAllowed(rules) {
      if (!tree || tree.isBroken) return false;
      const patterns = rules.flatMap(({ tool, pattern }) => (tool === "Bash" ? [pattern] : []));
      if (patterns.includes(undefined)) return true;
      const edits = rules.filter(({ tool }) => tool === "Edit" || tool === "Write");
      const isWritable = (file: NamedFile): boolean =>
        edits.some(({ pattern }) => coversAll(pattern, file, place));
      return (
        allows(
          patterns.filter((pattern) => pattern !== undefined),
          tree,
        ) && // Behind a change of the folder a name may mean several files.
        (tree.folders.length === 0 || tree.written.length === 0) &&
        writtenFiles(tree, place).every(isWritable)
      );
    },
  };
}

function otherUse(
  tool: string,
  { files, input, place }: { files: NamedFile[]; input: JudgedRequest["input"]; place: RulePlace },
): ToolUse {
  const isFileTool = readers.has(tool) || changers.has(tool);
  const says = (rule: Rule): Match => {
    if (rule.pattern === undefined) return "yes";
    if (rule.tool === "WebFetch") return hostMatch(rule.pattern, input["url"]);
    if (isTask(tool)) return (input["subagent_type"] ?? "general-purpose") === rule.pattern ? "yes" : "no";
    // A pattern about something that cannot be found in the input.
    if (files.length === 0) return isFileTool && !searches.has(tool) ? "maybe" : "no";
    return speaksOf(rule.pattern, files, place);
  };
  return {
    forbidden(rules, { isReadToo }) {
      const kin = rules.filter((rule) => isAbout(rule, tool) || (isReadToo && isAboutReading(rule, tool)));
      return worst(kin.map(says));
    },
    isAllowed: (rules) =>
      rules
        .filter((rule) => isAbout(rule, tool))
        .some((rule) =>
          isFileTool && rule.pattern !== undefined
            ? files.length > 0 && files.every((file) => coversAll(rule.pattern, file, place))
            : says(rule) === "yes",
        ),
  };
}

// Tools that look through the working directory unless they are told where.
const searches = new Set(["Grep", "Glob", "LS"]);

// Rules about Read hold for all that reads, those about Edit for all that changes files.
function isAbout({ tool: name, pattern }: Rule, tool: string): boolean {
  if (name === tool || (isTask(name) && isTask(tool))) return true;
  if (name.startsWith("mcp__")) {
    const server = name.replace(/(?:__)?\*$/, "");
    return tool.startsWith(`${server}__`) || (name.endsWith("*") && tool.startsWith(name.slice(0, -1)));
  }
  return (
    pattern !== undefined &&
    ((name === "Read" && readers.has(tool)) || (name === "Edit" && changers.has(tool)))
  );
}

// What may not be read may not be changed either.
function isAboutReading({ tool: name, pattern }: Rule, tool: string): boolean {
  return name === "Read" && pattern !== undefined && changers.has(tool);
}

function isTask(tool: string): boolean {
  return tool === "Task" || tool === "Agent";
}

function speaksOf(pattern: string | undefined, files: readonly NamedFile[], place: RulePlace): Match {
  const isPathMet = pattern === undefined ? (): boolean => true : pathMatcher(pattern, place);
  const isLink = pattern === undefined ? (): boolean => false : hardLinkFinder(pattern, place);
  const isMet = (name: Glob): boolean => isPathMet(name) || isLink(name);
  return worst(
    files.filter(({ names }) => names.some(isMet)).map(({ isKnown }) => (isKnown ? "yes" : "maybe")),
  );
}

function coversAll(pattern: string | undefined, { names, isKnown }: NamedFile, place: RulePlace): boolean {
  return pattern === undefined || (isKnown && names.every(pathMatcher(pattern, place)));
}

function hostMatch(pattern: string, url: unknown): Match {
  const wanted = pattern.replace(/^domain:/, "").toLowerCase();
  if (typeof url !== "string" || !URL.canParse(url)) return "maybe";
  const host = new URL(url).hostname.replace(/\.$/, "");
  const isBelow = wanted.startsWith("*.") && host.endsWith(wanted.slice(1));
  return host === wanted || isBelow ? "yes" : "no";
}
