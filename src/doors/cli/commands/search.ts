import { scanHintBytesMin } from "../search/limits.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { hitRoles, hitView } from "../../../runtime/views/hit-view.ts";
import type { SearchResult } from "../../../search/search-sessions.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { parseCount, parseSince } from "../option-values.ts";
import { withProgressBar } from "../progress-bar.ts";
import { projectInScope, sayElsewhere, scopeOptions } from "../session-scope.ts";
import { formatBytes, plural } from "../../../lib/quantities.ts";
import { hitLines } from "../search/hit-lines.ts";

export const command: Command = defineCommand({
  arguments: [
    {
      name: "query",
      text: 'words that all occur; "a phrase", begin*, OR, NOT or -word, (…)',
      kind: "text",
      isVariadic: true,
    },
  ],
  examples: [
    { line: "holdfast search parser fails", text: "both words, in any session of this project" },
    {
      line: "holdfast search '\"task output\" OR taskOutput*' --since 7d",
      text: "a phrase or a beginning, of the last week",
    },
    { line: "holdfast search migration --all --role user", text: "what you asked for in any project" },
  ],
  takesMinusWords: true,
  options: [
    ...scopeOptions,
    { flags: "--since <when>", text: "from this day, moment or age on (2026-11-30, 7d)", parse: parseSince },
    { flags: "--role <role>", text: "who says it", choices: hitRoles },
    { flags: "--tool <name>", text: "only calls of this tool, and their results (Bash, Edit)" },
    { flags: "--type <type>", text: "only entries of this type, as transcripts name it (user, system)" },
    { flags: "--regex", text: "the query is a regular expression" },
    { flags: "-n, --limit <n>", text: "show at most n hits (default: 20)", parse: parseCount },
  ],
  async run(context, { arguments: words, options }) {
    const { environment } = context;
    const { since, role, tool, type, regex, limit } = options;
    const runtime = await context.runtime();
    const project = await projectInScope(context, options);
    const result = await withProgressBar(context, "Searching", (onProgress) =>
      runtime.search(words.join(" "), {
        project,
        since,
        role,
        tool,
        type,
        isRegex: regex,
        limit,
        onProgress,
      }),
    );
    const { hits, total } = result;
    if (context.isJson) await context.writeJson({ hits: hits.map(hitView), total });
    else {
      await context.writeLines(hitLines(hits, environment));
      sayResult(context, result, { isIndexable: !regex });
      if (total === 0) await sayMessage(context, words.join(" "));
      await sayElsewhere(context, project, { isNamed: true });
    }
    // What little was added since is taken in on the way out.
    if (!regex) await runtime.keepIndexCurrent(result);
  },
});

// What a list shows may be searched for, too: the id of a message is no word of it.
async function sayMessage(context: CommandContext, query: string): Promise<void> {
  const { sessions } = await context.runtime();
  // Seldom needed, and by commands that need nothing else of this one.
  const { withProgress } = await import("../progress.ts");
  const message = await withProgress(context, "Looking for a message", sessions.findMessage(query));
  if (!message) return;
  const session = terminalLine(message.session.sessionId).slice(0, 8);
  context.say(`This is the id of a message: holdfast show ${session} --leaf ${message.uuid.slice(0, 8)}`);
}

function sayResult(
  { say }: CommandContext,
  { hits, total, scannedBytes }: SearchResult,
  { isIndexable }: { isIndexable: boolean },
): void {
  if (total === 0) say("Nothing found.");
  else if (hits.length < total)
    say(`Showing ${hits.length} of ${plural(total, "match", "matches")}; ask for more with --limit.`);
  const message = hits.find(({ uuid, agentId }) => uuid !== null && agentId === null);
  if (message?.sessionId)
    say(
      `Read up to a hit: holdfast show ${terminalLine(message.sessionId).slice(0, 8)} --leaf ${terminalLine(message.uuid ?? "").slice(0, 8)}`,
    );
  if (isIndexable && scannedBytes > scanHintBytesMin)
    say(`Looked through ${formatBytes(scannedBytes)}; \`holdfast index\` makes later searches faster.`);
}
