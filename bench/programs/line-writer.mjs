// Holdfast's writer of raw lines, through the public door: a session in a config folder of its own, beside `file`, which
// becomes a link to its transcript.
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "holdfast";

/** `append` awaits every line, unless `appendAll` says how lines arrive. */
export async function openLineWriter(file, { durability, appendAll = awaitEach }) {
  const dir = `${file}.holdfast`;
  const { sessions } = openRuntime({ home: path.join(dir, "home"), configDir: path.join(dir, "config") });
  const writer = await sessions.openWriter({ cwd: dir, durability });
  fs.symlinkSync(writer.session.path, file);
  return { append: (lines) => appendAll(writer, lines), close: () => writer.close() };
}

async function awaitEach(writer, lines) {
  for (const line of lines) await writer.appendLine(line);
}
