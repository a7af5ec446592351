// The least that a list of sessions takes: looks when every one was written last, and reads both ends of the newest:
// read-ends.mjs CONFIG_DIR [LIMIT]. Looks at nothing of what it reads and counts no sub-agents. Loads nothing that it does
// not need (see report.mjs).
import { report } from "./report.mjs";

const fs = process.getBuiltinModule("node:fs");
const HEAD_BYTES = 1 << 13;
const TAIL_BYTES = 1 << 14;
// On some processors a large read into the very start of an allocation is several times slower.
const READ_ALIGNMENT_BYTES = 64;
const buffer = Buffer.allocUnsafeSlow(READ_ALIGNMENT_BYTES + TAIL_BYTES);
const [configDir, limit] = process.argv.slice(2);

await report({
  work: () => newest(listFiles(`${configDir}/projects`)).map(readEnds),
  resultOf: (sessions) => sessions.length,
});

function listFiles(root) {
  const files = [];
  for (const project of fs.readdirSync(root))
    for (const name of fs.readdirSync(`${root}/${project}`)) {
      if (!name.endsWith(".jsonl") || name.startsWith("agent-")) continue;
      const path = `${root}/${project}/${name}`;
      const { size, mtimeMs } = fs.statSync(path);
      files.push({ path, size, mtimeMs });
    }
  return files;
}

function newest(files) {
  return files.sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, limit ? Number(limit) : files.length);
}

function readEnds({ path, size }) {
  const fd = fs.openSync(path);
  const head = fs.readSync(fd, buffer, READ_ALIGNMENT_BYTES, HEAD_BYTES, 0);
  const tail = fs.readSync(fd, buffer, READ_ALIGNMENT_BYTES, TAIL_BYTES, Math.max(0, size - TAIL_BYTES));
  fs.closeSync(fd);
  return head + tail;
}
