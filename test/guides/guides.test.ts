import { expect, test } from "vitest";
import { guides } from "./documents.ts";
import { openGuideWorld } from "./guide-world.ts";
import { isRun, notRun } from "./not-run.ts";
import { placeholders, situations } from "./situations.ts";

const all = guides();

test.each(all.filter(({ lines }) => lines.some(({ text }) => isRun(text))))(
  "every command of $name works as it stands",
  async ({ files, lines }) => {
    await using world = await openGuideWorld(files);
    const wrong: string[] = [];
    for (const { text, code } of lines.filter((line) => isRun(line.text))) {
      for (const { before, run } of situations)
        if (before.test(text)) for (const each of run) await must(each);
      const ran = await world.run(await withValues(text));
      if (ran.code !== code)
        wrong.push(`${text}\nended with ${ran.code}, not ${code}: ${ran.stderr || ran.stdout}`);
    }
    expect(wrong).toEqual([]);

    async function must(line: string): Promise<string> {
      const { code, stdout, stderr } = await world.run(line);
      if (code !== 0) throw new Error(`"${line}" ended with ${code}: ${stderr}`);
      return stdout.trim();
    }

    async function withValues(line: string): Promise<string> {
      let known = line;
      for (const { text, command } of placeholders)
        if (line.includes(text)) known = known.replaceAll(text, await must(command));
      return known;
    }
  },
);

test("lines that are not run are there, each for its reason", () => {
  const lines = all.flatMap((guide) => guide.lines.map(({ text }) => text));
  const unused = notRun.flatMap(({ lines: patterns }) =>
    patterns.filter((pattern) => !lines.some((line) => pattern.test(line))),
  );
  expect(unused).toEqual([]);
});
