import { z } from "zod";
import type { AgentTasks, AgentTodo, ContentPart } from "../../../../tasks/ports.ts";
import type { KnownFiles } from "./known-files.ts";

/** Something that the model can do. One file a tool; tool-list.ts names them all. */
export interface Tool {
  name: string;
  description: string;
  /** JSON schema of its input, as the API wants it. */
  inputSchema: Record<string, unknown>;
  /** Whether somebody must agree before it runs. */
  needsPermission: boolean;
  /** Whether several in one message may run at the same time. The others run in the order of the message. */
  isConcurrent: boolean;
  /** Checks the input. A refusal says in words for the model what is wrong with it. */
  prepare(input: unknown): ToolCall | { refusal: string };
}

export interface ToolCall {
  /** What is about to be done, in words for who gives permission. */
  title: string;
  /** Ends soon after the context's signal, leaving nothing running. */
  run(context: ToolContext): Promise<ToolOutcome>;
}

export interface ToolContext extends ToolPlace {
  toolUseId: string;
  signal: AbortSignal;
}

/** What the tools of one run share. */
export interface ToolPlace {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  tasks: AgentTasks;
  knownFiles: KnownFiles;
  todos: { current: AgentTodo[] };
}

export interface ToolOutcome {
  /** For the model. */
  content: string | ContentPart[];
  isError?: true;
  /** As the client keeps it beside the text. */
  toolUseResult: unknown;
  todos?: AgentTodo[];
}

/** What went wrong, in words that help the model; the client keeps such a result as a text. */
export function failure(text: string): ToolOutcome {
  return { content: text, isError: true, toolUseResult: `Error: ${text}` };
}

export interface ToolDefinition<Schema extends z.ZodType> {
  name: string;
  description: string;
  schema: Schema;
  needsPermission?: true;
  isConcurrent?: true;
  title(input: z.infer<Schema>): string;
  run(input: z.infer<Schema>, context: ToolContext): Promise<ToolOutcome>;
}

export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, schema, needsPermission = false, isConcurrent = false } = definition;
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: "input" });
  return {
    name,
    description,
    inputSchema,
    needsPermission,
    isConcurrent,
    prepare(input) {
      const parsed = schema.safeParse(input);
      if (!parsed.success)
        return { refusal: `The input of ${name} is not valid:\n${z.prettifyError(parsed.error)}` };
      return {
        title: definition.title(parsed.data),
        run: (context) => definition.run(parsed.data, context),
      };
    },
  };
}
