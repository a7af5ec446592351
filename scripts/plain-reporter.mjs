// Ends a test run with the plain line that CI reads, counted from the results of what really ran.
export default class PlainReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        // A test that never got to run (a run cut short) did not pass.
        count[state === "pending" ? "failed" : state] += 1;
      }
      // A file that failed to load has no tests of its own, but it did fail.
      if (module.errors().length > 0) count.failed += 1;
    }
    count.failed += unhandledErrors.length;
    this.line = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`;
    process.on("exit", () => process.stdout.write(`${this.line}\n`));
  }
}
