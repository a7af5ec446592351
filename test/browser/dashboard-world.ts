import fs from "node:fs";
import path from "node:path";
import { sessionWithMarkdown } from "../screens/session-with-markdown.ts";
import { homeWithEdits } from "../support/session-with-edits.ts";
import { holdfast, type TestHome } from "../support/run-holdfast.ts";
import { waitFor } from "../support/wait-for.ts";
import { TranscriptBuilder } from "../support/transcript-builder.ts";

export interface DashboardWorld {
  home: TestHome;
  /** Ids of tasks by what they show. */
  tasks: Record<"running" | "failed" | "completed" | "stopped" | "lost" | "asking" | "answered", string>;
  markdownSession: string;
  editedSession: string;
  longSession: string;
}

const WATCH = `i=0; while :; do i=$((i+1)); printf '\\033[32m✓\\033[0m test %d of the parser \\033[2m(%d ms)\\033[0m\\n' $i $((i*3)); sleep 0.4; done`;

/** A home with a task of every status, an agent that asks, and sessions to read. */
export async function dashboardWorld(): Promise<DashboardWorld> {
  const { home, sessionId: editedSession } = homeWithEdits();
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await holdfast(args, { home });
    if (code !== 0) throw new Error(`holdfast ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  const script = (name: string, steps: unknown[]): string => {
    const file = path.join(home.cwd, `${name}.json`);
    fs.writeFileSync(file, JSON.stringify(steps));
    return file;
  };
  const running = await run("run", "--name", "watch", "--description", "Tests, on every change", WATCH);
  const failed = await run(
    "run",
    "--description",
    "Type check",
    "echo 'src/cart.ts(12,3): error TS2322: string is not number' >&2; exit 2",
  );
  const completed = await run("run", "--name", "build", "echo built in 3 s");
  const stopped = await run("run", "--name", "server", "sleep 1000");
  await holdfast(["stop", stopped, "--reason", "the port is needed"], { home });
  const lost = await run("run", "--description", "Nightly export", "sleep 1000");
  const asking = await run(
    "agent",
    "Fix the failing test of the cart",
    "--script",
    script("asks", [
      { text: "The sum is a string. I run the tests first." },
      { run: "npm test -- cart --coverage" },
      { text: "Done." },
    ]),
    "--permission",
    "ask",
    "--description",
    "Fix the cart",
  );
  const answered = await run(
    "agent",
    "Which tests are slow?",
    "--script",
    script("answers", [
      { text: "I look at the times." },
      { run: "echo cart.test.ts 4.2 s" },
      { text: "**cart.test.ts** takes 4.2 s of 6." },
    ]),
    "--permission",
    "allow",
    "--description",
    "Slow tests",
  );
  await killSupervisor(home, lost);
  await waitFor(async () => {
    const { stdout } = await holdfast(["ps", "--json"], { home });
    return stdout.includes('"needsInput"');
  });
  await holdfast(["wait", answered, failed, completed], { home });
  const { sessionId: markdownSession } = sessionWithMarkdown({
    cwd: home.cwd,
    seed: "markdown",
    gitBranch: "fix-cart",
  }).write(home.configDir);
  const { sessionId: longSession } = longTranscript(home).write(home.configDir);
  return {
    home,
    tasks: { running, failed, completed, stopped, lost, asking, answered },
    markdownSession,
    editedSession,
    longSession,
  };
}

async function killSupervisor(home: TestHome, id: string): Promise<void> {
  const { stdout } = await holdfast(["ps", "--json"], { home });
  const { tasks } = JSON.parse(stdout) as { tasks: { id: string; pid: number }[] };
  const { pid } = tasks.find((task) => task.id === id)!;
  process.kill(-pid, "SIGKILL");
  await waitFor(async () => (await holdfast(["ps", "-a", "--json"], { home })).stdout.includes('"lost"'));
}

// Many prompts, with runs of quiet tools between them.
function longTranscript(home: TestHome): TranscriptBuilder {
  const session = new TranscriptBuilder({ cwd: home.cwd, seed: "long" });
  for (let turn = 1; turn <= 300; turn++) {
    session.prompt(`Prompt number ${turn}: look at module ${turn % 7}`);
    session.callTools({
      name: "Read",
      input: { file_path: `${home.cwd}/src/module-${turn % 7}.ts` },
      result: "export {};\n",
    });
    session.callTools({ name: "Grep", input: { pattern: "export" }, result: "src/module.ts:1:export {};" });
    session.reply(
      `Module ${turn % 7} exports **nothing**. ${turn === 150 ? "The word xyzzy is only here." : ""}`,
    );
  }
  session.meta("custom-title", { customTitle: "A long look at the modules" });
  return session;
}
