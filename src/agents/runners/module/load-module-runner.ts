import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../../lib/errors.ts";
import type { Runner } from "../../../tasks/ports.ts";
import { runnerError } from "../errors.ts";

/** A runner by the file or package that holds it. */
export interface RunnerModule {
  /** A path, from the agent's folder or absolute, or the name of a package that is found from there. */
  module: string;
  /** What its default export is called with. They are recorded with the agent: no keys. */
  options?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Loads a runner. Its module's default export is one (an async generator function), or a function that makes one from the
 * options. Throws `runner_invalid` when it cannot be found or loaded, or is none.
 */
export async function loadModuleRunner({ module, options }: RunnerModule, cwd: string): Promise<Runner> {
  const refuse = (why: string, cause?: unknown): Error =>
    runnerError("runner_invalid", `Cannot use runner "${module}": ${why}`, { cause, fields: { module } });
  let exported: unknown;
  try {
    exported = ((await import(addressOf(module, cwd))) as { default?: unknown }).default;
  } catch (cause) {
    throw refuse(messageOf(cause), cause);
  }
  if (typeof exported !== "function") throw refuse("its default export is not a function");
  if (isRunner(exported)) return exported;
  let made: unknown;
  try {
    made = await (exported as (options: RunnerModule["options"]) => unknown)(options ?? {});
  } catch (cause) {
    throw refuse(messageOf(cause), cause);
  }
  if (typeof made !== "function") throw refuse("its default export returned no runner for the options");
  return made as Runner;
}

function addressOf(module: string, cwd: string): string {
  if (module.startsWith("file:")) return module;
  const isPath = path.isAbsolute(module) || /^\.\.?(\/|$)/.test(module);
  const file = isPath
    ? path.resolve(cwd, module)
    : createRequire(path.join(cwd, "package.json")).resolve(module);
  return pathToFileURL(file).href;
}

function isRunner(exported: object): exported is Runner {
  return Object.prototype.toString.call(exported) === "[object AsyncGeneratorFunction]";
}
