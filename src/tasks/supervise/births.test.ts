import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { isWithoutProc, onMachine, whyNoMachine } from "../../../test/support/other-machine.ts";
import { supervisorShells, taskWorld } from "../../../test/support/task-world.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";

// The numbers of births are set here, so it runs where they are nobody else's: on a machine with numbers of its own.
const isInside = process.env["HOLDFAST_TEST_MACHINE"] !== undefined;
const why = isWithoutProc ? "births have no numbers" : isInside ? undefined : whyNoMachine();
if (why !== undefined) process.stdout.write(`skipped: ${why}\n`);

/** Two are enough: what counts is the kernel's numbers, not the shell's words. */
const shells = supervisorShells.slice(0, 2);

const numberOf = "/proc/sys/kernel/ns_last_pid";
const lastNumber = (): number => Number(fs.readFileSync("/proc/sys/kernel/pid_max", "utf8")) - 1;

describe.runIf(isInside && why === undefined).each(shells)("births, under %s,", (shell) => {
  test("are seen when their numbers begin anew", async () => {
    await using world = taskWorld();
    const births = "n=0; while [ $n -lt 20 ]; do (:); n=$((n + 1)); done";
    const command = `echo ${lastNumber() - 10} > ${numberOf}; ${births}; (sleep 1; echo late) 7>&- & exit 3`;
    const { state, stdout } = await world.ended(await world.startUnder(shell, { command }));
    expect([state, stdout]).toMatchObject([{ exitCode: 3 }, "late\n"]);
  });

  test("are not gone through one by one when there were very many", async () => {
    await using world = taskWorld();
    fs.writeFileSync(numberOf, "1000");
    const command = `echo ${lastNumber() - 1000} > ${numberOf}; exit 3`;
    const startedAt = performance.now();
    expect((await world.ended(await world.startUnder(shell, { command }))).state).toMatchObject({
      exitCode: 3,
    });
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  test("are seen when more come during a look than it goes beyond", async () => {
    await using world = taskWorld();
    // Each link is 150 numbers behind the one before it, in a session of its own, with the line closed.
    const chain = path.join(world.cwd, "chain.pl");
    const link = `exit if fork; setsid; open my $n, "<", "${numberOf}"; my $last = <$n>; close $n; open $n, ">", "${numberOf}"; print $n $last + 150; close $n`;
    fs.writeFileSync(
      chain,
      `use POSIX; POSIX::close($_) for 0 .. 99; for (1 .. 150) { ${link}; select undef, undef, undef, 0.01 } open my $made, ">", "made"`,
    );
    await world.ended(await world.startUnder(shell, { command: `perl ${chain}` }));
    expect(fs.existsSync(path.join(world.cwd, "made"))).toBe(true);
  });
});

test.skipIf(isInside || why !== undefined)(
  "a supervisor counts births on a machine of its own",
  () => {
    const dir = tempDir();
    const [folder, reportFile] = [path.join(dir, "machine"), path.join(dir, "report.json")];
    fs.mkdirSync(folder);
    const vitest = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url));
    const file = fileURLToPath(import.meta.url);
    const words = [process.execPath, vitest, "run", "--reporter=json", `--outputFile=${reportFile}`, file];
    const [program = "", ...args] = onMachine({ make: "plain", shell: "dash", folder }, words);
    const { stderr } = spawnSync(program, args, { encoding: "utf8", timeout: 170_000 });
    if (!fs.existsSync(reportFile)) throw new Error(`The tests did not run: ${stderr}`);
    const { testResults } = JSON.parse(fs.readFileSync(reportFile, "utf8")) as Report;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(results.filter(({ status }) => status === "failed")).toEqual([]);
    expect(results.filter(({ status }) => status === "passed").length).toBe(3 * shells.length);
  },
  180_000,
);

interface Report {
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[];
}
