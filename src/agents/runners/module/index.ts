/**
 * Owns the way to a runner that somebody else wrote: a file or package that any process can load by its name, so that its
 * agent is detached, killed, continued and sent away like any other. Never keeps what it has loaded: Node does.
 */
export { loadModuleRunner, type RunnerModule } from "./load-module-runner.ts";
