/**
 * Owns the loading of a runner that somebody else wrote, from a file or package. Any process can load it by its name,
 * so its agent can be detached, killed, continued and sent to the fleet like any other. Never caches what it has
 * loaded: Node does.
 */
export { loadModuleRunner, type RunnerModule } from "./load-module-runner.ts";
