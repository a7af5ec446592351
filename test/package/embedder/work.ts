// The parts of the runtime in somebody else's hands: whatever a verb gives or takes has a public name. Compiled, never run.
import type {
  AgentOutput,
  AgentRequest,
  Agents,
  ArchiveResult,
  Brief,
  EndedState,
  Fleet,
  FleetOverview,
  GivenAnswer,
  Health,
  HealthReport,
  HoldfastErrorCode,
  HookPlugin,
  InstallOutcome,
  KeepResult,
  NeededInput,
  Notice,
  OpenThreads,
  OutputPiece,
  Recovery,
  RunnerModule,
  Runtime,
  SearchHit,
  SessionRef,
  SessionStore,
  ShellRequest,
  Task,
  TaskEvent,
  TaskOutput,
  Tasks,
  Threads,
  ThreadsEvent,
  UndoResult,
  UsageReport,
  WorkerEvent,
} from "holdfast";

declare const show: (...values: unknown[]) => void;

export async function command(tasks: Tasks, cwd: string): Promise<EndedState | undefined> {
  const request: ShellRequest = { argv: ["npm", "test"], cwd, stdin: true };
  const task: Task = await tasks.start(request);
  await tasks.send(task, "yes\n");
  const pieces: AsyncGenerator<OutputPiece> = tasks.follow(task.record.id, { from: { stdout: 10 } });
  for await (const { stream, text, offset } of pieces) show(stream, text, offset);
  const output: TaskOutput = await tasks.output(task, { by: "embedder" });
  if ("shellId" in output) show(output.stdout, output.exitCode);
  else show(output.content);
  const notices: Notice[] = await tasks.consumeNotices({ cwd, by: "embedder" });
  show(notices.map(({ summary }) => summary));
  return tasks.wait(task, { timeoutMs: 1000 });
}

export async function watch(tasks: Tasks, after: string | undefined): Promise<string | undefined> {
  const events: AsyncGenerator<TaskEvent> = tasks.events({ signal: AbortSignal.timeout(1000), after });
  let cursor = after;
  for await (const event of events) {
    cursor = event.cursor;
    const needed: NeededInput | undefined =
      event.subtype === "task_updated" ? event.patch.needs_input : undefined;
    show(event.uuid, event.session_id, needed?.requestId);
  }
  return cursor;
}

export async function agent(agents: Agents, cwd: string): Promise<AgentOutput> {
  const runner: RunnerModule = { module: "./mine.mjs", options: { greeting: "Hello" } };
  const request: AgentRequest = { prompt: "Go", cwd, runner, permission: "ask", limits: { maxTurns: 3 } };
  const task = await agents.start(request);
  const progress = await agents.progress(task);
  if (progress?.needsInput) {
    const { requestId } = progress.needsInput;
    const given: GivenAnswer = { requestId, answer: { behavior: "deny", message: "no" }, by: "embedder" };
    await agents.answer(task, given);
  }
  for await (const entry of agents.entries(task, { follow: true })) show(entry.type);
  const next = await agents.continue(task, { prompt: "And?" });
  return agents.output(next, { by: "embedder", waitUpToSeconds: 10 });
}

export async function chat(threads: Threads, cwd: string): Promise<string | undefined> {
  const tell = (event: ThreadsEvent): void => {
    if (event.kind === "thread" && event.change.kind === "delta") process.stdout.write(event.change.text);
  };
  const open: OpenThreads = await threads.open(
    { runner: { name: "anthropic" }, permission: "rules", cwd },
    { tell, takeNotices: async () => [], onIdle() {}, onChanged() {} },
  );
  await open.begin();
  await open.say("Hello");
  const main = await open.background();
  return main?.task.record.id;
}

export async function fleet(remote: Fleet, cwd: string): Promise<FleetOverview> {
  const task = await remote.start({ prompt: "Go", cwd, runner: { name: "anthropic" } });
  await remote.bringHome(task);
  const onEvent = (event: WorkerEvent): void => show(event.kind);
  await remote.work({ slots: 2, signal: AbortSignal.timeout(1000), onEvent });
  return remote.overview();
}

export async function home(health: Health, plugin: HookPlugin): Promise<InstallOutcome> {
  const report: HealthReport = await health.check({ isFull: true });
  for (const { name, suggestion } of report.checks)
    if (suggestion && "verb" in suggestion) show(name, suggestion.verb);
  await health.repair(report.repairs);
  return plugin.install({ wake: true });
}

export async function sessions(store: SessionStore, session: SessionRef): Promise<[UndoResult, KeepResult]> {
  for await (const event of store.follow(session, { signal: AbortSignal.timeout(1000) }))
    if (event.kind === "entry" && event.entry.type === "user") show(event.entry.message.content);
  const { lists } = await store.todos(session);
  const archive = await store.openArchive();
  await archive.add([session]);
  archive.close();
  const { chosen }: ArchiveResult = await store.archive({ olderThanMs: 60 * 86_400_000, dryRun: true });
  show(chosen.length);
  show(lists.length, await store.diffFiles(session));
  return [await store.undoFiles(session, { dryRun: true }), await store.keep({ turn: "on" })];
}

export async function ask(
  runtime: Runtime,
  cwd: string,
): Promise<[Recovery, Brief | undefined, UsageReport]> {
  const { hits } = await runtime.search("kelp");
  const found: readonly SearchHit[] = hits;
  const [newest] = await runtime.sessions.list({ limit: 1 });
  if (newest) {
    const session = await runtime.sessions.find(newest.sessionId);
    for await (const text of runtime.export(session, { format: "md" })) process.stdout.write(text);
  }
  const brief = await runtime.brief({ cwd, sessionId: "s-1", afterCompaction: found.length > 0 });
  return [await runtime.recover({ cwd }), brief, await runtime.usage({ by: "day" })];
}

export const handled: readonly HoldfastErrorCode[] = ["conflict", "task_not_found", "runner_invalid"];
