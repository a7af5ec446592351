// Reads every transcript of CLAUDE_CONFIG_DIR on all cores, looks at nothing, and prints how many bytes they have: no
// program on Node that has to look at all of them can take less. Loads nothing that it does not need (see report.mjs).
const fs = process.getBuiltinModule("node:fs");
const os = process.getBuiltinModule("node:os");
const { Worker, isMainThread, parentPort } = process.getBuiltinModule("node:worker_threads");

// Stays in the cache of a core.
const READ_BYTES = 1 << 17;
// On some processors a large read into the very start of an allocation is several times slower.
const READ_ALIGNMENT_BYTES = 64;
const THREADS_MAX = 4;

if (isMainThread) await main();
else
  parentPort.once("message", (job) => {
    parentPort.postMessage(readFiles(job), []);
  });

async function main() {
  const threads = Math.min(os.availableParallelism(), THREADS_MAX);
  const workers = Array.from({ length: threads - 1 }, () => new Worker(new URL(import.meta.url)));
  const files = listFiles(`${process.env.CLAUDE_CONFIG_DIR}/projects`);
  const job = { files, next: new Int32Array(new SharedArrayBuffer(4)) };
  const answers = workers.map((worker) => {
    worker.postMessage(job, []);
    return new Promise((resolve) => worker.once("message", resolve));
  });
  // What was posted goes out before this thread is busy.
  await new Promise(setImmediate);
  const bytes = [readFiles(job), ...(await Promise.all(answers))].reduce((sum, each) => sum + each, 0);
  process.stdout.write(`${bytes}\n`);
}

function listFiles(root) {
  const files = [];
  const dirs = [root];
  for (const dir of dirs)
    for (const name of fs.readdirSync(dir)) {
      if (name.endsWith(".jsonl")) files.push(`${dir}/${name}`);
      else if (!name.includes(".")) dirs.push(`${dir}/${name}`);
    }
  return files;
}

/** Each thread takes the next file that nobody has taken, so all end at the same time. */
function readFiles({ files, next }) {
  const buffer = Buffer.allocUnsafeSlow(READ_ALIGNMENT_BYTES + READ_BYTES);
  let bytes = 0;
  for (;;) {
    const file = files[Atomics.add(next, 0, 1)];
    if (file === undefined) return bytes;
    const fd = fs.openSync(file);
    let got;
    do {
      got = fs.readSync(fd, buffer, READ_ALIGNMENT_BYTES, READ_BYTES, null);
      bytes += got;
    } while (got === READ_BYTES);
    fs.closeSync(fd);
  }
}
