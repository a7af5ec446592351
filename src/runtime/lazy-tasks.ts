import type { Tasks } from "../tasks/open-tasks.ts";
import type { RuntimeTasksOptions } from "./open-runtime-tasks.ts";

/** Tasks as an embedder sees them: every answer comes as a promise. */
export type RuntimeTasks = {
  [Name in keyof Tasks]: Tasks[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => [Result] extends [AsyncGenerator] ? Result : Promise<Awaited<Result>>
    : never;
};

/** Loads the tasks when one of them is first asked for: a process that only reads sessions need not pay for them. */
export function lazyTasks(options: RuntimeTasksOptions): RuntimeTasks {
  let opened: Promise<Tasks> | undefined;
  const open = (): Promise<Tasks> =>
    (opened ??= import("./open-runtime-tasks.ts").then(({ openRuntimeTasks }) => openRuntimeTasks(options)));
  return {
    start: async (...args) => (await open()).start(...args),
    startAgent: async (...args) => (await open()).startAgent(...args),
    continueAgent: async (...args) => (await open()).continueAgent(...args),
    followRemote: async (...args) => (await open()).followRemote(...args),
    runAgentInProcess: async (...args) => (await open()).runAgentInProcess(...args),
    progress: async (...args) => (await open()).progress(...args),
    answerPermission: async (...args) => (await open()).answerPermission(...args),
    registerMainSession: async (...args) => (await open()).registerMainSession(...args),
    backgroundSession: async (...args) => (await open()).backgroundSession(...args),
    foregroundMainSession: async (...args) => (await open()).foregroundMainSession(...args),
    mainSessions: async (...args) => (await open()).mainSessions(...args),
    agentOutput: async (...args) => (await open()).agentOutput(...args),
    list: async (...args) => (await open()).list(...args),
    overview: async (...args) => (await open()).overview(...args),
    listAgents: async (...args) => (await open()).listAgents(...args),
    find: async (...args) => (await open()).find(...args),
    refresh: async (...args) => (await open()).refresh(...args),
    wait: async (...args) => (await open()).wait(...args),
    waitAny: async (...args) => (await open()).waitAny(...args),
    stop: async (...args) => (await open()).stop(...args),
    output: async (...args) => (await open()).output(...args),
    newOutput: async (...args) => (await open()).newOutput(...args),
    async *followOutput(...args) {
      yield* (await open()).followOutput(...args);
    },
    send: async (...args) => (await open()).send(...args),
    notices: async (...args) => (await open()).notices(...args),
    consumeNotices: async (...args) => (await open()).consumeNotices(...args),
    told: async (...args) => (await open()).told(...args),
    mute: async (...args) => (await open()).mute(...args),
    async *events(...args) {
      yield* (await open()).events(...args);
    },
    prune: async (...args) => (await open()).prune(...args),
    remove: async (...args) => (await open()).remove(...args),
    close: async () => (await opened)?.close(),
  };
}
