import path from "node:path";
import { readOpenTools } from "../../store/owed/find-owed.ts";
import { listOwed } from "../../store/owed/owed-answer.ts";
import type { CheckResult, Finding, HealthCheck, HealthContext, Repair } from "../health-check.ts";
import { repairTranscript } from "../repair/repair-transcript.ts";
import type { ExaminedTranscript } from "../transcripts/examine-transcripts.ts";
import type { ToolDefect, TranscriptDefect } from "../transcripts/transcript-defect.ts";

interface TranscriptCheck {
  name: string;
  kind: TranscriptDefect["kind"];
  /** `fail` unless it says otherwise. */
  status?: "warn";
  /** What one is, and several are. */
  nouns: [one: string, many: string];
  ok: string;
}

// Newer clients repair a session that was interrupted in a tool call, so this alone is a warning.
const kinds: readonly TranscriptCheck[] = [
  {
    name: "torn-lines",
    kind: "torn-line",
    nouns: ["torn line", "torn lines"],
    ok: "no line is torn",
  },
  {
    name: "glued-lines",
    kind: "glued-lines",
    nouns: ["line that holds several entries", "lines that hold several entries"],
    ok: "every entry has a line of its own",
  },
  {
    name: "nul-bytes",
    kind: "nul-bytes",
    nouns: ["line with zero bytes", "lines with zero bytes"],
    ok: "no zero bytes",
  },
  {
    name: "foreign-lines",
    kind: "foreign-line",
    nouns: ["line that is not an entry", "lines that are not entries"],
    ok: "every line is an entry",
  },
  {
    name: "broken-parents",
    kind: "missing-parent",
    nouns: ["entry whose parent is missing", "entries whose parents are missing"],
    ok: "no parent is missing",
  },
  {
    name: "parent-cycles",
    kind: "parent-cycle",
    nouns: ["parent cycle", "parent cycles"],
    ok: "no parent cycles",
  },
  {
    name: "unanswered-tools",
    kind: "unanswered-tool",
    status: "warn",
    nouns: ["tool use without a result", "tool uses without results"],
    ok: "every tool use has its result",
  },
];

/** One check for each kind of defect; all read the transcripts once. */
export const transcriptChecks: readonly HealthCheck[] = kinds.map((check) => ({
  name: check.name,
  group: "sessions",
  run: (context) => runCheck(context, check),
}));

async function runCheck(context: HealthContext, check: TranscriptCheck): Promise<CheckResult> {
  const { damaged } = await context.transcripts();
  const found: { transcript: ExaminedTranscript; defect: TranscriptDefect }[] = [];
  for (const transcript of damaged) {
    const defects = transcript.defects.filter(({ kind }) => kind === check.kind);
    const isAwaited = defects.some(isOfTool) ? await awaitedTools(context, transcript) : () => false;
    for (const defect of defects) if (!isAwaited(defect)) found.push({ transcript, defect });
  }
  if (found.length === 0) return { status: "ok", summary: check.ok };
  const files = new Set(found.map(({ transcript }) => transcript));
  const [one, many] = check.nouns;
  const where = files.size === 1 ? "one transcript" : `${files.size} transcripts`;
  return {
    status: check.status ?? "fail",
    summary: `${found.length} ${found.length === 1 ? one : many} in ${where}`,
    findings: found.map(({ transcript, defect }) => findingOf(transcript, defect)),
    suggestion: { verb: "doctor", options: { repair: true } },
    repairs: [...files].map((transcript) => repairOf(context, transcript)),
  };
}

// Of a session that is owed an answer, those whose results come with it.
async function awaitedTools(
  { home }: Pick<HealthContext, "home">,
  { path: file, sessionId }: Pick<ExaminedTranscript, "path" | "sessionId">,
): Promise<(defect: TranscriptDefect) => boolean> {
  const isOwed = path.basename(file) === `${sessionId}.jsonl` && listOwed(home, sessionId).length > 0;
  if (!isOwed) return () => false;
  const open = await readOpenTools(file);
  return (defect) => isOfTool(defect) && open.has(defect.toolUseId);
}

function isOfTool(defect: TranscriptDefect): defect is ToolDefect {
  return defect.kind === "unanswered-tool";
}

function findingOf(
  { path: file, sessionId, ownerPid }: ExaminedTranscript,
  defect: TranscriptDefect,
): Finding {
  const open = ownerPid === undefined ? "" : `; open in pid ${ownerPid}, so it is not repaired`;
  return { text: `${path.basename(file)} at byte ${defect.offset}${open}`, path: file, sessionId };
}

function repairOf({ configDir, home, clock }: HealthContext, transcript: ExaminedTranscript): Repair {
  const { path: file, sessionId, linesOnly, defects } = transcript;
  return {
    path: file,
    text: `fix ${defects.length === 1 ? "" : `${defects.length} defects: `}${kindsIn(defects)}`,
    async run(backup) {
      const isSpared = await awaitedTools({ home }, transcript);
      await repairTranscript(
        { configDir, home, clock },
        { path: file, sessionId, linesOnly, isSpared },
        backup,
      );
    },
  };
}

function kindsIn(defects: readonly TranscriptDefect[]): string {
  return [...new Set(defects.map(({ kind }) => kind))].join(", ");
}

/** Says how many transcripts were looked at, and that some were not, if the time was up. */
export const examined: HealthCheck = {
  name: "transcripts",
  group: "sessions",
  async run(context) {
    const { examined: count, unexamined, unreadable } = await context.transcripts();
    const summary = `${count} ${count === 1 ? "transcript" : "transcripts"} examined`;
    if (unreadable.length > 0) {
      return {
        status: "warn",
        summary: `${summary}, ${unreadable.length} cannot be read (no permission)`,
        findings: unreadable.map((file) => ({ text: file, path: file })),
        suggestion: { program: "chmod", args: ["u+r", "<file>"] },
      };
    }
    if (unexamined === 0) return { status: "ok", summary };
    return {
      status: "warn",
      summary: `${summary}, ${unexamined} not: out of time`,
      suggestion: { verb: "doctor", options: { full: true } },
    };
  },
};
