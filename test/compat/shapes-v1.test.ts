import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readConversation } from "../../src/store/read/conversation.ts";

// Transcripts in the forms of docs/format.md ("The graph"), made by test/support/drawn-session.ts when each form was first
// read, and frozen: what was read of them then is read of them now.
const dir = path.join(import.meta.dirname, "data", "shapes-v1");

interface Expected {
  said: string[];
  context: string[];
  elsewhere: { branches: number; agents: number; repeated: number; rejected: number };
}

const expected = Object.entries(
  JSON.parse(fs.readFileSync(path.join(dir, "expected.json"), "utf8")) as Record<string, Expected>,
);

test.each(expected)(
  "readConversation() reads the frozen %s as ever",
  async (name, { said, context, elsewhere }) => {
    const file = path.join(dir, `${name}.jsonl`);
    const messages = async (mode: "full" | "context"): Promise<unknown[]> =>
      (await readConversation(file, { mode })).entries
        .filter(({ type }) => type === "user" || type === "assistant")
        .map((entry) => (entry as { uuid?: unknown }).uuid);
    expect({ said: await messages("full"), context: await messages("context") }).toEqual({ said, context });
    expect((await readConversation(file)).elsewhere).toMatchObject(elsewhere);
  },
);
