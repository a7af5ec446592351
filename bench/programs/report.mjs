// What every measured program prints, once, as the last thing it does: what it computed and what that took. A whole
// process is often measured, so this loads nothing: importing node:fs or using process.stdout loads streams, and
// `performance` a module of its own.
const fs = process.getBuiltinModule("node:fs");
const STDOUT = 1;

/**
 * Times `work` and prints the comparable form of its result, which `resultOf` makes outside the call's own time
 * (but inside the whole process's, so it should be cheap). `figuresOf` names what else was measured.
 */
export async function report({ work, resultOf, figuresOf = () => ({}) }) {
  const started = process.hrtime();
  const value = await work();
  const [seconds, nanoseconds] = process.hrtime(started);
  const callMs = seconds * 1e3 + nanoseconds / 1e6;
  const figures = figuresOf(value);
  const result = resultOf(value);
  print(JSON.stringify({ result, callMs, vmHwmBytes: peakResidentBytes(), figures }));
}

function print(text) {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += fs.writeSync(STDOUT, bytes, written);
  } catch (error) {
    // Who started a thread has made standard output non-blocking, and has loaded what writes to it.
    if (error.code !== "EAGAIN") throw error;
    process.stdout.write(bytes.subarray(written));
  }
}

// Not getrusage: its peak is inherited over fork and exec, so it may be that of the process that started this one.
export function peakResidentBytes() {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync("/proc/self/status", "utf8"));
  return Number(kilobytes) * 1024;
}
