import { spawn } from "node:child_process";
import { findPrograms } from "../../../lib/find-programs.ts";
import type { Environment } from "../environment.ts";

/**
 * Opens an address in the browser of the person who watches this command. False when nobody does, or when there is no
 * browser to be found. The browser outlives this process.
 */
export async function openBrowser(
  url: string,
  { isWatching, variables }: Pick<Environment, "isWatching" | "variables">,
): Promise<boolean> {
  // On a machine that is reached by ssh a browser would open in front of nobody.
  const hasScreen =
    process.platform === "darwin" ||
    variables["DISPLAY"] ||
    variables["WAYLAND_DISPLAY"] ||
    variables["WSL_DISTRO_NAME"];
  if (!isWatching || !(hasScreen || variables["BROWSER"])) return false;
  const names = [variables["BROWSER"], "xdg-open", "wslview", "open"].filter((name) => name !== undefined);
  const program = names.flatMap((name) =>
    name.startsWith("/") ? [name] : findPrograms(name, variables["PATH"]),
  )[0];
  if (program === undefined) return false;
  const child = spawn(program, [url], { detached: true, stdio: "ignore", env: { ...variables } });
  child.unref();
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
  });
}
