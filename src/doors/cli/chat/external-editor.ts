import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Lets the person go on with a text in the editor of their own, which gets the terminal until it ends. Undefined when it
 * ended with a failure: then the text is as it was.
 */
export async function editText(
  text: string,
  { variables, cwd }: { variables: Readonly<Record<string, string | undefined>>; cwd: string },
): Promise<string | undefined> {
  const editor = variables["VISUAL"] || variables["EDITOR"] || "vi";
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-prompt-"));
  const file = path.join(dir, "prompt.md");
  // Ctrl+C in the editor reaches this process, too, and means the editor.
  const listeners = process.listeners("SIGINT");
  process.removeAllListeners("SIGINT").on("SIGINT", () => {});
  try {
    fs.writeFileSync(file, text, { mode: 0o600 });
    // It may have options of its own, as a shell reads them.
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], {
      cwd,
      env: { ...variables },
      stdio: "inherit",
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    return code === 0 ? fs.readFileSync(file, "utf8").replace(/\n$/, "") : undefined;
  } finally {
    process.removeAllListeners("SIGINT");
    for (const listener of listeners) process.on("SIGINT", listener);
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
