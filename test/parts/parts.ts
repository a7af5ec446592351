/**
 * What Holdfast is made of, and where each piece can be reached: behind the library and behind a command or a tool. What is
 * behind one of them only says why. `said` is how the description of the parts names it.
 */
export interface Piece {
  said: string;
  /** Verbs of the runtime (`sessions.plans`) and names of `holdfast/format` (`format.parseTaskId`). */
  library: readonly string[];
  /** Commands with options (`run --tty`), tools of the MCP server (`mcp.output`), of our own agents (`agent.TodoWrite`), hooks. */
  reached: readonly string[];
  /** Why one of the two is missing. */
  because?: string;
}

export const parts: Readonly<Record<string, readonly Piece[]>> = {
  P1: [
    {
      said: "Config root",
      library: ["configDir", "format.configPaths"],
      reached: ["sessions", "config path"],
    },
    {
      said: "A project's folder",
      library: ["format.projectKey", "sessions.projectOf"],
      reached: ["sessions --project"],
    },
    { said: "Sandbox temp root", library: ["tasks.start"], reached: ["run --sandbox"] },
    { said: "a marker variable that names its task", library: ["tasks.pid"], reached: ["run", "agent.Bash"] },
  ],
  P2: [
    { said: "Shell tasks `b`", library: ["format.newTaskId"], reached: ["run", "agent", "chat"] },
    {
      said: "Ids of every older era",
      library: ["format.parseTaskId", "tasks.find"],
      reached: ["inspect", "mcp.status"],
    },
  ],
  P3: [
    {
      said: "Start a command in the background",
      library: ["tasks.start"],
      reached: ["run", "mcp.run", "agent.Bash"],
    },
    {
      said: "record id, command",
      library: ["tasks.inspect", "tasks.list"],
      reached: ["inspect", "ps", "mcp.list"],
    },
    {
      said: "collect stdout and stderr",
      library: ["tasks.read", "tasks.follow", "tasks.followBytes"],
      reached: ["logs", "run --follow"],
    },
    {
      said: "on exit record code",
      library: ["tasks.wait", "tasks.waitAny", "tasks.waitFor"],
      reached: ["wait", "wait --any", "mcp.wait"],
    },
    {
      said: "They outlive whoever started them",
      library: ["tasks.send", "tasks.attach"],
      reached: ["send", "attach", "restart"],
    },
  ],
  P4: [
    { said: "A sub-agent run", library: ["agents.start", "agents.choose"], reached: ["agent", "agent.Task"] },
    { said: "its type", library: ["agents.types"], reached: ["agent --type", "chat --type"] },
    { said: "progress", library: ["agents.progress", "tasks.overview"], reached: ["ps", "top", "mcp.list"] },
    {
      said: "answer, usage",
      library: ["agents.output"],
      reached: ["output", "mcp.output", "agent.TaskOutput"],
    },
    { said: "a link to the transcript", library: ["agents.entries"], reached: ["logs", "show"] },
    {
      said: "prompt, description",
      library: ["agents.list", "agents.answer"],
      reached: ["inspect", "approve", "deny"],
    },
    { said: "with its own transcript", library: ["agents.continue"], reached: ["resume"] },
  ],
  P5: [
    { said: "Ctrl+B twice", library: ["agents.backgroundSession", "threads.open"], reached: ["chat"] },
    {
      said: "the running query's own abort",
      library: ["agents.registerSession", "tasks.stop"],
      reached: ["stop"],
    },
    {
      said: "its answer becomes part of the conversation it came from",
      library: ["sessions.settle"],
      reached: ["chat", "doctor --repair"],
    },
    {
      said: "A second query can be started in the background",
      library: ["agents.askFromSession"],
      reached: ["agent --from", "chat"],
    },
    {
      said: "the main thread may have an agent definition",
      library: ["threads.open"],
      reached: ["chat --type"],
    },
    {
      said: "brought to the foreground again",
      library: ["agents.foregroundSession", "agents.mainSessions"],
      reached: ["chat", "chat --resume"],
    },
    {
      said: "Agent context (id, type, name)",
      library: ["index.currentAgentContext", "index.runWithAgentContext"],
      reached: [],
      because: "it is a fact about code that runs: only that code can ask for it",
    },
  ],
  P6: [
    { said: "A run on a remote worker", library: ["fleet.start"], reached: ["agent --remote"] },
    {
      said: "URL of its",
      library: ["fleet.read", "fleet.overview"],
      reached: ["fleet show", "fleet status"],
    },
    { said: "*teleport*", library: ["fleet.bringHome"], reached: ["teleport"] },
    {
      said: "Local state follows it live",
      library: ["fleet.follow", "fleet.watch"],
      reached: ["fleet follow", "logs -f"],
    },
  ],
  P7: [
    {
      said: "Statuses `running`",
      library: ["tasks.find", "tasks.refresh"],
      reached: ["ps --status", "mcp.status"],
    },
    {
      said: "Handlers per kind",
      library: ["tasks.output", "tasks.stop"],
      reached: ["output", "stop", "mcp.stop"],
    },
  ],
  P8: [
    {
      said: "One call for all kinds",
      library: ["tasks.output"],
      reached: ["output --timeout", "mcp.output", "agent.TaskOutput"],
    },
    {
      said: "BashOutput",
      library: ["tasks.newOutput"],
      reached: ["output --new", "output --filter", "mcp.output"],
    },
    { said: "AgentOutput", library: ["agents.output"], reached: ["output --timeout"] },
    { said: "Reading is by offset and bounded", library: ["tasks.read"], reached: ["logs --tail"] },
    { said: "And TaskStop", library: ["tasks.stop"], reached: ["stop", "mcp.stop", "agent.TaskStop"] },
  ],
  P9: [
    {
      said: "exactly one notification reaches its owner",
      library: ["tasks.notices", "tasks.consumeNotices"],
      reached: ["notices --consume", "hook"],
    },
    {
      said: "A TaskOutput read that returned the ending",
      library: ["tasks.told"],
      reached: ["output", "mcp.output"],
    },
    { said: "reaches its owner", library: ["sessions.attend"], reached: ["chat", "hook"] },
  ],
  P10: [
    { said: "task started, progress, updated, ended", library: ["tasks.events"], reached: ["events"] },
    {
      said: "callback",
      library: ["tasks.onEvent"],
      reached: [],
      because: "a callback is for programs; a command prints the same events",
    },
  ],
  P11: [
    {
      said: "A cleanup registry for the process",
      library: ["close"],
      reached: [],
      because: "a command closes what it opened by itself",
    },
    { said: "not retained", library: ["tasks.retain"], reached: ["retain", "run --retain"] },
    {
      said: "retention by age and total size",
      library: ["prune", "pruneDue", "tasks.prune", "tasks.pruneDue", "tasks.remove"],
      reached: ["prune --older-than", "prune --max-total", "rm"],
    },
  ],
  P12: [
    {
      said: "entries of every type in format.md are read",
      library: ["sessions.stream"],
      reached: ["show --raw"],
    },
    { said: "unknown types and keys kept as they are", library: ["sessions.bytes"], reached: ["show --raw"] },
    {
      said: "sub-agent files in both layouts",
      library: ["sessions.agents", "sessions.findAgent"],
      reached: ["show"],
    },
    {
      said: "A resume loads",
      library: ["sessions.conversation", "sessions.readConversation"],
      reached: ["show --context", "chat --resume", "resume"],
    },
    { said: "never silently skipped", library: ["health.check"], reached: ["doctor"] },
  ],
  P13: [
    { said: "one writer a session", library: ["sessions.openWriter"], reached: ["chat"] },
    { said: "readers tail while writers append", library: ["sessions.follow"], reached: ["logs -f"] },
    {
      said: "repair and fork",
      library: ["health.repair", "sessions.fork"],
      reached: ["doctor --repair", "fork"],
    },
  ],
  P14: [
    {
      said: "List sessions of a project or all",
      library: ["sessions.list", "sessions.elsewhere", "sessions.summary", "sessions.find"],
      reached: ["sessions --all", "mcp.sessions"],
    },
    {
      said: "read with limits and filters",
      library: ["sessions.readConversation"],
      reached: ["show --type", "show --role", "show --since", "show --no-tools", "show --no-system"],
    },
    {
      said: "message by uuid",
      library: ["sessions.entry", "sessions.findMessage"],
      reached: ["show --leaf", "show --ids"],
    },
    { said: "ancestry", library: ["sessions.ancestry"], reached: ["show --leaf"] },
    { said: "count", library: ["sessions.counts"], reached: ["sessions"] },
    { said: "token usage", library: ["sessions.usage", "costOf"], reached: ["usage", "show"] },
    { said: "fork at a message", library: ["sessions.fork"], reached: ["fork --at"] },
    { said: "rename", library: ["sessions.rename"], reached: ["rename"] },
    { said: "tag", library: ["sessions.tag"], reached: ["tag"] },
    {
      said: "delete to trash",
      library: ["sessions.trash", "sessions.listTrash", "sessions.restore"],
      reached: ["rm", "rm --list", "rm --restore"],
    },
    { said: "compaction\nsummaries", library: ["sessions.compactions"], reached: ["show --full"] },
    {
      said: "`reset` of a project",
      library: ["sessions.reset", "sessions.undoReset"],
      reached: ["rm --project"],
    },
    {
      said: "conversion to and from plain chat messages",
      library: [
        "sessions.toAnthropicMessages",
        "sessions.toModelMessages",
        "sessions.fromAnthropicMessages",
        "sessions.fromModelMessages",
      ],
      reached: ["export --format", "import --format"],
    },
    {
      said: "Every agent id that a transcript or manifest knows can be read",
      library: ["agents.ofClient", "sessions.strayAgents"],
      reached: ["output", "show", "logs", "inspect", "mcp.output", "agent.TaskOutput"],
    },
    { said: "Session store", library: ["sessions.move", "export"], reached: ["move", "export"] },
  ],
  P15: [
    {
      said: "To-dos",
      library: ["sessions.todos", "sessions.saveTodos"],
      reached: ["todos", "agent.TodoWrite"],
    },
    { said: "`plans/`", library: ["sessions.companions", "sessions.readCompanion"], reached: ["companions"] },
    {
      said: "`file-history/` (snapshots, diff, undo)",
      library: ["sessions.files", "sessions.diffFiles", "sessions.undoFiles"],
      reached: ["files", "files --diff", "files --undo"],
    },
    {
      said: "`history.jsonl`",
      library: ["sessions.prompts", "threads.earlierPrompts", "threads.rememberPrompt"],
      reached: ["chat"],
    },
    { said: "`session-env/`", library: ["sessions.companions"], reached: ["companions"] },
    { said: "`settings.json` (read)", library: ["sessions.clientSettings"], reached: ["agent", "doctor"] },
    {
      said: "outputs kept as files",
      library: ["sessions.keepLargeOutput", "sessions.readCompanion"],
      reached: ["agent.Bash", "companions --offset"],
    },
    { said: "Orphans found and reported", library: ["health.check"], reached: ["doctor"] },
  ],
  P16: [
    { said: "Every background launch", library: ["launches"], reached: ["recover --today", "hook"] },
    { said: "whether anyone saw it", library: ["recover"], reached: ["recover", "mcp.recover"] },
    { said: "is told what runs", library: ["brief"], reached: ["recover --brief", "hook", "statusline"] },
    {
      said: "is warned before it launches the same work again",
      library: ["plugin.hooks"],
      reached: ["hook"],
    },
  ],
  P17: [
    {
      said: "A Claude Code plugin",
      library: ["plugin.install", "plugin.status", "plugin.uninstall"],
      reached: ["plugin install", "plugin uninstall", "hook"],
    },
  ],
  P18: [{ said: "Command line", library: [], reached: ["help"], because: "it is itself a door" }],
  P19: [
    {
      said: "dashboard",
      library: [
        "sessions.count",
        "sessions.projects",
        "sessions.named",
        "sessions.agent",
        "sessions.agentFiles",
        "sessions.owed",
        "tasks.named",
        "tasks.window",
        "tasks.bytes",
        "tasks.searchOutput",
        "tasks.processes",
        "tasks.row",
        "tasks.ledger",
        "tasks.live",
        "agents.answered",
        "agents.known",
        "fleet.isKnown",
      ],
      reached: ["up", "open"],
    },
  ],
  P20: [{ said: "MCP server", library: [], reached: ["mcp"], because: "it is itself a door" }],
  P21: [{ said: "library", library: ["close"], reached: [], because: "it is itself a door" }],
  P22: [
    {
      said: "Full-text search",
      library: ["search", "updateIndex", "keepIndexCurrent", "indexState"],
      reached: ["search", "index", "mcp.search"],
    },
    { said: "token and cost reports", library: ["usage"], reached: ["usage --by"] },
    {
      said: "`doctor` that finds and repairs",
      library: ["health.check", "health.repair"],
      reached: ["doctor --repair"],
    },
    {
      said: "archive with zstd",
      library: ["sessions.archive", "sessions.listArchive", "sessions.verifyArchive", "sessions.openArchive"],
      reached: ["archive add", "archive list", "archive verify", "archive restore"],
    },
    { said: "silent deletion by retention sweeps", library: ["sessions.keep"], reached: ["archive keep"] },
  ],
  P23: [
    {
      said: "P6 at scale",
      library: [
        "fleet.up",
        "fleet.down",
        "fleet.init",
        "fleet.writeConfig",
        "fleet.work",
        "fleet.health",
        "fleet.remove",
      ],
      reached: [
        "fleet up",
        "fleet down",
        "fleet init",
        "fleet config",
        "fleet worker",
        "fleet status",
        "fleet rm",
      ],
    },
  ],
  P24: [
    {
      said: "any conversation can be carried on by any agent",
      library: ["agents.run", "threads.findResumable"],
      reached: ["chat --agent"],
    },
    {
      said: "Sessions of Codex",
      library: [],
      reached: [],
      because: "not there yet: only transcripts in the form of Claude Code are read",
    },
  ],
  P25: [
    {
      said: "what is tested how is said",
      library: [],
      reached: ["version"],
      because: "a platform has no verb: docs/platforms.md says what is tested how",
    },
  ],
};

/** Verbs of the runtime that none of the parts names, with the reason that they are there. */
export const otherVerbs: Readonly<Record<string, string>> = {
  "settings.list": "config",
  "settings.set": "config set",
  "settings.forAgent": "how a program starts agents within the user's settings, as every command does",
  "agents.send": "send",
  "tasks.mute": "for programs that tell of an ending themselves",
  "tasks.close": "the runtime's close releases the tasks",
  "threads.findFiles": "chat: completes @names",
  "starting.agent": "up: starts an agent as the settings say, as every command does",
  "starting.continue": "up: the same for one that goes on",
  "starting.worktree": "up: a folder of its own for what is started",
  "starting.choices": "up: what a start box offers",
  "starting.demo": "up: tasks for a page that has nothing to show",
  "aside.ask": "up: reads what is large in a thread",
  "aside.open": "up: the same for what comes piece by piece",
  "aside.close": "the runtime's close ends the threads",
};
