import { sessionsShownMax } from "../limits.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { sessionView } from "../../../runtime/views/session-view.ts";
import type { SessionSummary } from "../../../store/list/list-sessions.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import type { Environment } from "../environment.ts";
import { parseCount } from "../option-values.ts";
import { displayPath } from "../render/display-path.ts";
import type { StrayAgent } from "../../../store/list/stray-agents.ts";
import { formatAge, formatBytes, formatCount, plural } from "../../../lib/quantities.ts";
import { sessionColumns } from "../render/session-columns.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import { projectInScope, sayElsewhere, scopeOptions } from "../session-scope.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast sessions", text: "of this project, with the folders inside it" },
    { line: "holdfast sessions --all --limit 20", text: "the newest 20 of all projects" },
    { line: "holdfast sessions --project ~/app --json", text: "of another project, for programs" },
  ],
  options: [...scopeOptions, { flags: "-n, --limit <n>", text: "only the newest n", parse: parseCount }],
  async run(context, { options }) {
    const { environment } = context;
    const { sessions: store } = await context.runtime();
    const project = await projectInScope(context, options);
    if (context.isJson) {
      const found = await store.list({ project, limit: options.limit });
      const agents = await store.strayAgents({ project });
      return context.writeJson({
        sessions: found.map(sessionView),
        ...(agents.length > 0 && { strayAgents: agents }),
      });
    }
    // A window holds some dozens of lines; a pipe takes them all.
    const limit = options.limit ?? (environment.stdout.isTerminal ? sessionsShownMax : undefined);
    const found = await store.list({ project, limit: limit === undefined ? undefined : limit + 1 });
    sayStrays(context, await store.strayAgents({ project }));
    if (found.length === 0) return sayNone(context, project);
    const shown = found.slice(0, limit);
    // A column of one and the same folder tells nothing.
    const isAll = project === undefined || shown.some(({ cwd }) => cwd !== project);
    await context.writeLines(sessionTable(shown, { environment, isAll }));
    if (options.limit === undefined && found.length > shown.length) {
      context.say(`Showing the newest ${shown.length}; ask for more with --limit.`);
    }
    await sayElsewhere(context, project);
  },
});

const STRAYS_NAMED = 3;

function sayStrays({ say }: CommandContext, agents: readonly StrayAgent[]): void {
  if (agents.length === 0) return;
  const named = agents.slice(0, STRAYS_NAMED).map(({ agentId }) => terminalLine(agentId));
  const more = agents.length > named.length ? ", …" : "";
  say(
    `holdfast: ${plural(agents.length, "agent")} of sessions whose transcripts are gone (${named.join(", ")}${more}): holdfast show ${named[0]}`,
  );
}

async function sayNone(context: CommandContext, project: string | undefined): Promise<void> {
  const { configDir, userHome } = context.environment;
  const { sessions } = await context.runtime();
  const machine = project === undefined ? 0 : (await sessions.elsewhere(project)).machine;
  context.say(
    project === undefined || machine === 0
      ? `No sessions below ${displayPath(configDir, userHome)}.`
      : `No sessions in ${displayPath(project, userHome)}. All ${formatCount(machine)} on this machine: holdfast sessions --all`,
  );
}

interface SessionTableOptions {
  environment: Environment;
  isAll: boolean;
}

function sessionTable(
  found: readonly SessionSummary[],
  { environment, isAll }: SessionTableOptions,
): Iterable<string> {
  const { stdout, userHome } = environment;
  const now = new Date();
  const columns: TableColumn<SessionSummary>[] = [
    sessionColumns(found, userHome).id,
    { title: "AGE", value: ({ updatedAt }) => formatAge(updatedAt, now), isRight: true },
    {
      title: "MSGS",
      value: ({ messageCount }) => (messageCount === undefined ? "" : formatCount(messageCount)),
      isRight: true,
      dropOrder: 2,
    },
    {
      title: "AGENTS",
      value: ({ agents }) => (agents ? formatCount(agents) : ""),
      isRight: true,
      dropOrder: 5,
    },
    { title: "SIZE", value: ({ bytes }) => formatBytes(bytes), isRight: true, dropOrder: 4 },
    { title: "BRANCH", value: ({ gitBranch }) => terminalLine(gitBranch ?? ""), widthMin: 8, dropOrder: 3 },
    ...(isAll ? [projectColumn(userHome)] : []),
    { title: "TITLE", value: titleOf, widthMin: 20 },
  ];
  return renderTable(found, columns, stdout);
}

function projectColumn(userHome: string): TableColumn<SessionSummary> {
  // Thousands of sessions are of a few projects.
  const shown = new Map<string, string>();
  const value = ({ cwd, project }: SessionSummary): string => {
    const text =
      shown.get(cwd ?? project) ?? (cwd === undefined ? terminalLine(project) : displayPath(cwd, userHome));
    shown.set(cwd ?? project, text);
    return text;
  };
  return {
    title: "PROJECT",
    value,
    widthMin: 12,
    isPath: true,
    dropOrder: 1,
    paint: "dim",
  };
}

function titleOf({ title, firstPrompt, tag, archived }: SessionSummary): string {
  const text = terminalLine(title ?? firstPrompt ?? "") || "(no prompt)";
  const mark = tag === undefined ? "" : `#${terminalLine(tag)} `;
  return `${archived ? "(archived) " : ""}${mark}${text}`;
}
