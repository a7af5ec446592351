import { retoldConversationLengthMax } from "./limits.ts";
import type { ContentPart, RunnerMessage, RunnerRequest } from "../../tasks/ports.ts";

/**
 * What was said before the last message, as text, for an agent that has lost its own memory of it; undefined when
 * nothing was. The newest part when it is long, so that the agent knows where things stand.
 */
export function retellConversation(
  messages: readonly RunnerMessage[],
  { lengthMax = retoldConversationLengthMax }: { lengthMax?: number } = {},
): string | undefined {
  const told: string[] = [];
  let length = 0;
  for (const message of messages.slice(0, -1).toReversed()) {
    const text = `${message.role === "user" ? "User" : "You"}: ${textOf(message.content)}`;
    length += text.length;
    if (length > lengthMax) {
      told.push("[What came before is left out]");
      break;
    }
    told.push(text);
  }
  if (told.length === 0) return undefined;
  return `This conversation was interrupted. What was said so far:\n\n${told.toReversed().join("\n\n")}`;
}

/** What the agent is told now, with what it has to be reminded of. */
export function promptTexts({
  systemPrompt,
  messages,
  prompt,
}: Pick<RunnerRequest, "systemPrompt" | "messages" | "prompt">): string[] {
  return [systemPrompt, retellConversation(messages), prompt].filter((text): text is string => Boolean(text));
}

function textOf(content: string | readonly ContentPart[]): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => partText(part) ?? []).join("\n");
}

function partText(part: ContentPart): string | undefined {
  switch (part.type) {
    case "text":
      return String(part["text"]);
    case "tool_use":
      return `[used ${String(part["name"])}: ${JSON.stringify(part["input"])}]`;
    case "tool_result": {
      const { content } = part as { content?: string | ContentPart[] };
      return `[result: ${content === undefined ? "" : textOf(content)}]`;
    }
    case "image":
      return "[picture]";
    default:
      return undefined;
  }
}
