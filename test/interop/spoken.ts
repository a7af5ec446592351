import type { MessagesRequest } from "./fake-messages-api.ts";

interface Block {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  tool_use_id?: string;
  content?: unknown;
}

/** What is said in messages, block by block, in a form that can be compared: who, and what. */
export function spokenIn(messages: readonly { role: string; content: unknown }[]): string[] {
  // Some models are told of their surroundings in a message of its own role.
  const said = messages.filter(({ role }) => role !== "system");
  return said.flatMap(({ role, content }) =>
    blocksOf(content)
      .filter(({ text }) => !isAdded(text))
      .map((block) => describe(role, block)),
  );
}

/** As spokenIn, without the prompt that the check itself typed. */
export function spokenBefore(prompt: string, request: MessagesRequest | undefined): string[] {
  const spoken = spokenIn(request?.messages ?? []);
  const at = spoken.lastIndexOf(`user: ${prompt}`);
  return at < 0 ? [...spoken, "(the prompt is missing)"] : spoken.toSpliced(at, 1);
}

function describe(role: string, block: Block): string {
  switch (block.type) {
    case "text":
      // Two messages of one role in a row become one, with a newline between them.
      return `${role}: ${block.text?.trimEnd()}`;
    case "tool_use":
      // The client tells its models of the older tool by the newer name.
      return `${role} uses ${block.name === "Task" ? "Agent" : block.name} (${block.id})`;
    case "tool_result":
      return `${role} answers (${block.tool_use_id}): ${blocksOf(block.content)
        .map(({ text }) => text)
        .join("")}`;
    default:
      return `${role} ${block.type}`;
  }
}

function blocksOf(content: unknown): Block[] {
  return Array.isArray(content) ? (content as Block[]) : [{ type: "text", text: String(content) }];
}

// What the client adds by itself: the environment, the date, the tools that there are; and an answer where the
// conversation was cut off before one came.
function isAdded(text: string | undefined): boolean {
  if (text === undefined) return false;
  return text.trimStart().startsWith("<system-reminder>") || text === "No response requested.";
}
