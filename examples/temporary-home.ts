import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export interface TemporaryHome {
  /** Holdfast's own folder. */
  home: string;
  /** The client's config folder. */
  configDir: string;
  /** The project. */
  cwd: string;
}

/** Folders for one example, removed when it ends. A program of yours uses the real ones: `openRuntime()`. */
export function temporaryHome(): TemporaryHome {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-example-"));
  process.once("exit", () => fs.rmSync(dir, { recursive: true, force: true }));
  const cwd = path.join(dir, "project");
  fs.mkdirSync(cwd);
  return { home: path.join(dir, "state"), configDir: path.join(dir, "config"), cwd };
}
