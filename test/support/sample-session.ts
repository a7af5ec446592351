import { TranscriptBuilder, type TranscriptBuilderOptions } from "./transcript-builder.ts";

export interface SampleSessionOptions extends TranscriptBuilderOptions {
  /** How often the whole of it is repeated. */
  rounds?: number;
}

/**
 * A small session with one of everything that makes real ones hard to read: split messages, parallel tools,
 * a sub-agent, a prompt typed meanwhile, a compaction that preserved messages, a title, a closing system line.
 */
export function sampleSession({ rounds = 1, ...options }: SampleSessionOptions = {}): TranscriptBuilder {
  const session = new TranscriptBuilder(options);
  for (let round = 1; round <= rounds; round++) addRound(session, round);
  session.meta("custom-title", { customTitle: "Fix the parser" });
  session.system("turn_duration", { durationMs: 1234, messageCount: session.entries.length });
  return session;
}

/** Three questions with their answers, the second with a tool. Of eight lines, the fourth and fifth are its use and result. */
export function threeQuestions(options: TranscriptBuilderOptions = {}): TranscriptBuilder {
  const session = new TranscriptBuilder(options);
  session.prompt("first question");
  session.reply("first answer");
  session.prompt("second question");
  session.callTools({ name: "Bash", input: { command: "ls" }, result: "a b c" });
  session.reply("second answer");
  session.prompt("third question");
  session.reply("third answer");
  return session;
}

function addRound(session: TranscriptBuilder, round: number): void {
  session.prompt(`Why does the parser fail in round ${round}?`);
  session.reply(
    { type: "thinking", thinking: "Two files to read.", signature: "AAAA" },
    "I read both files.",
  );
  session.callTools(
    { name: "Read", input: { file_path: "/home/user/project/a.ts" }, result: "export const a = 1;" },
    { name: "Bash", input: { command: "npm test", description: "Run the tests" }, result: "1 failed" },
  );
  session.runAgent("Find every caller of parse()", (agent) => {
    agent.callTools({ name: "Grep", input: { pattern: "parse\\(" }, result: "src/a.ts:1" });
    agent.reply("One caller: src/a.ts");
  });
  session.queue("enqueue", "Look at the tests too");
  session.queue("remove");
  const preserve = session.reply("The caller passes null. ü 漢 🙂");
  session.compact("The user asked why the parser fails; it is given null.", { preserve });
  session.prompt("Then fix it");
  session.reply("Fixed.");
}
