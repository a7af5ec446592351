import path from "node:path";
import type { Runtime } from "../../../runtime/index.ts";
import { formatBytes, plural } from "../../../lib/quantities.ts";
import { usageError } from "../errors.ts";
import { createNewFile } from "../export/new-file.ts";

const formats = { ".md": "md", ".html": "html", ".json": "json" } as const;

/** Writes a session to a new file, without what looks like a secret; says what was written. */
export async function exportConversation(
  { sessions, export: exported }: Pick<Runtime, "sessions" | "export">,
  { sessionId, cwd, name }: { sessionId: string; cwd: string; name: string },
): Promise<string> {
  const file = path.resolve(cwd, name === "" ? `conversation-${sessionId.slice(0, 8)}.md` : name);
  const format = formats[path.extname(file) as keyof typeof formats];
  if (!format) throw usageError("export", `Cannot export to "${name}": name a .md, .html or .json file`);
  let redacted = 0;
  const session = await sessions.find(sessionId);
  const target = createNewFile(file, { isReplacing: false });
  try {
    const onDone = (facts: { redacted: number }): void => void (redacted = facts.redacted);
    for await (const piece of exported(session, { format, onDone })) await target.write(piece);
    target.finish();
  } finally {
    target.discard();
  }
  const without = redacted === 0 ? "" : `, without ${plural(redacted, "secret")}`;
  return `Wrote ${file} (${formatBytes(target.bytes)}${without})`;
}
