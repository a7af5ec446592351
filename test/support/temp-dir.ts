import fs from "node:fs";
import os from "node:os";
import path from "node:path";

type Scope = "test" | "file";

const dirs: Record<Scope, string[]> = { test: [], file: [] };
let scope: Scope = "file";

/** A new empty folder, removed after the test; made outside a test (in a beforeAll), after the test file. */
export function tempDir(): string {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-test-")));
  dirs[scope].push(dir);
  return dir;
}

export function useTempDirScope(next: Scope): void {
  scope = next;
}

export function tempDirsOf(of: Scope): readonly string[] {
  return dirs[of];
}

export function removeTempDirs(of: Scope): void {
  for (const dir of dirs[of].splice(0)) {
    makeRemovable(dir);
    fs.rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}

// Tests take permissions away; without root's rights a folder that cannot be entered cannot be removed either.
function makeRemovable(dir: string): void {
  if (!fs.existsSync(dir)) return;
  fs.chmodSync(dir, 0o700);
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) makeRemovable(path.join(dir, entry.name));
  }
}
