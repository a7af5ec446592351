import fs from "node:fs";

/** What an adversary tries, and what the rules must answer: `ask` also stands for "no rule speaks of it". */
export interface RuleAttempt {
  rules: { allow?: string[]; deny?: string[]; ask?: string[] };
  tool: string;
  input: Record<string, unknown>;
  wanted: "allow" | "deny" | "ask";
}

/**
 * The attempts in rules-corpus.txt: rules at the beginning of a line, and below them the wanted answer, the tool, and its input;
 * of Bash only the command, as a JSON string where it has characters that one does not see. `rules-folder.ts` makes the folder
 * that they are about.
 */
export function ruleAttempts(): RuleAttempt[] {
  const attempts: RuleAttempt[] = [...longAttempts];
  let rules: RuleAttempt["rules"] = {};
  const text = fs.readFileSync(new URL("rules-corpus.txt", import.meta.url), "utf8");
  for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
    const [, wanted, tool = "", rest = ""] = /^ {2}(\w+) +(\w+) (.*)$/.exec(line) ?? [];
    if (wanted === undefined) rules = JSON.parse(line) as RuleAttempt["rules"];
    else attempts.push({ rules, tool, input: inputOf(rest), wanted: wanted as RuleAttempt["wanted"] });
  }
  return attempts;
}

function inputOf(text: string): Record<string, unknown> {
  if (text.startsWith('{"') || text === "{}") return JSON.parse(text) as Record<string, unknown>;
  return { command: text.startsWith('"') ? (JSON.parse(text) as string) : text };
}

const noRm = { allow: ["Bash"], deny: ["Bash(rm:*)"] };
const longAttempts: RuleAttempt[] = [
  { rules: noRm, tool: "Bash", input: { command: `${"true;".repeat(200)}rm x` }, wanted: "deny" },
  { rules: noRm, tool: "Bash", input: { command: `${"true && ".repeat(60)}rm x` }, wanted: "deny" },
  {
    rules: noRm,
    tool: "Bash",
    input: { command: `${"(".repeat(5000)}rm x${")".repeat(5000)}` },
    wanted: "ask",
  },
  {
    rules: noRm,
    tool: "Bash",
    input: { command: `${"$(".repeat(5000)}rm x${")".repeat(5000)}` },
    wanted: "ask",
  },
  { rules: noRm, tool: "Bash", input: { command: `${"eval ".repeat(100)}rm x` }, wanted: "ask" },
  { rules: noRm, tool: "Bash", input: { command: "echo rm x".padEnd(300_000, "x") }, wanted: "ask" },
];
