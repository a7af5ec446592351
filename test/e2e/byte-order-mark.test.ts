import fs from "node:fs";
import { expect, test } from "vitest";
import { homeWithSession, runJson } from "./cli.ts";

// What answers say of the file itself, or of the moment.
const aside = new Set([
  "size",
  "bytes",
  "path",
  "updatedAt",
  "indexBytes",
  "takenBytes",
  "at",
  "offset",
  "score",
]);
const plain = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (aside.has(key) ? undefined : value)));

test("a byte order mark hides nothing: a session is shown, searched, counted, forked and healthy as without it", async () => {
  const { home, session } = homeWithSession();
  const text = fs.readFileSync(session.path, "utf8");
  const ask = async (n: number): Promise<unknown[]> => {
    const env = { HOLDFAST_HOME: `${home.userHome}/home-${n}` };
    const answer = async (...args: string[]): Promise<unknown> => (await runJson(args, { home, env })).json;
    const answers = [
      await answer("search", "parser", "round"),
      await answer("index"),
      await answer("search", "parser", "round"),
      await answer("show", session.sessionId),
      await answer("show", session.sessionId, "--raw"),
      await answer("usage", "--by", "session"),
      ((await answer("doctor", "--full")) as { checks: { name: string; status: string }[] }).checks
        .filter(({ name }) => name.includes("transcript"))
        .map(({ name, status }) => [name, status]),
    ];
    const forked = (await runJson(["fork", session.sessionId], { home, env })).json;
    const { entries } = (await runJson(["show", forked.sessionId], { home, env })).json;
    for (const made of [forked.path, forked.path.slice(0, -".jsonl".length)])
      fs.rmSync(made, { recursive: true, force: true });
    return [...answers.map(plain), entries.length];
  };
  const without = await ask(1);
  expect(without[0]).toMatchObject({ hits: [{ type: "user" }] });
  fs.writeFileSync(session.path, `\uFEFF${text}`);
  const withMark = await ask(2);
  for (const [index, answer] of without.entries()) expect(withMark[index]).toEqual(answer);
});
