import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { isJsonObject } from "../../../format/json-object.ts";
import type { AcpHabits } from "../known/index.ts";
import { filesIn } from "../file-fields.ts";
import type { ToolCallFacts } from "./tool-call.ts";

type Input = Record<string, unknown>;

/**
 * What a tool is given, in the one shape that questions show and rules judge, from whatever the agent sends of it: `command`
 * of a command; `file_path`, or `paths` of several files; `content`, `old_string` and `new_string`, or `edits`.
 */
export function toolInput(tool: string, facts: ToolCallFacts, habits: AcpHabits = {}): Input {
  const given = givenInput(facts.rawInput);
  if (tool === "Bash") return { ...given, ...commandOf(facts, given, habits) };
  const told = { ...placesOf(facts, given), ...given, ...(isBare(given) && changesOf(facts.content ?? [])) };
  if (Object.keys(told).length > 0) return told;
  return facts.title ? { title: facts.title } : {};
}

function givenInput(rawInput: unknown): Input {
  if (isJsonObject(rawInput)) return rawInput;
  return rawInput === undefined || rawInput === null ? {} : { input: rawInput };
}

// A title is taken for the command only where the agent is known to put the whole of it there: others put words of the model.
function commandOf({ title }: ToolCallFacts, given: Input, { titlesAreCommands }: AcpHabits): Input {
  const told = [given["command"], given["cmd"]].filter((each) => each !== undefined);
  // Of words in a list nobody knows how they are put together: whoever judges cannot see the command, and asks.
  const texts = told.filter((each) => typeof each === "string");
  if (texts.length < told.length) return { command: told };
  // Which of two the agent runs is its own affair, so both have to be allowed.
  if (texts.length > 0) return { command: [...new Set(texts)].join("\n") };
  if (titlesAreCommands && title) return { command: title };
  return title ? { title } : {};
}

function placesOf({ content, locations }: ToolCallFacts, given: Input): Input {
  if (filesIn(given).length > 0) return {};
  const changed = (content ?? []).flatMap((item) => (item.type === "diff" ? [item.path] : []));
  const paths = [...new Set([...changed, ...(locations ?? []).map(({ path }) => path)])];
  if (paths.length === 0) return {};
  return paths.length === 1 ? { file_path: paths[0] } : { paths };
}

// What the agent gives says it all; the differences beside it are the same again.
function isBare(given: Input): boolean {
  return Object.keys(given).length === 0;
}

function changesOf(content: readonly ToolCallContent[]): Input {
  const edits = content.flatMap((item): Input[] => {
    if (item.type !== "diff") return [];
    const { path: file_path, oldText, newText } = item;
    return oldText
      ? [{ file_path, old_string: oldText, new_string: newText }]
      : [{ file_path, content: newText }];
  });
  if (edits.length > 1) return { edits };
  return edits[0] ?? {};
}
