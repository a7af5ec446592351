import { z } from "zod";
import type { AgentTasks, AgentTodo, ContentPart, RunnerRequest } from "../../../../tasks/ports.ts";
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
  /** What the tool was understood to be given: what is judged is what is used. */
  input: Readonly<Record<string, unknown>>;
  /** The file or folder that it is about, as given. */
  file?: string | undefined;
  /** Ends soon after the context's signal, leaving nothing running. */
  run(context: ToolContext): Promise<ToolOutcome>;
}

export interface ToolContext extends ToolPlace {
  toolUseId: string;
  signal: AbortSignal;
  /** Where the call's file really was when it was permitted; the tool opens no other. */
  realPath?: string | undefined;
}

/** What the tools of one run share. */
export interface ToolPlace {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  tasks: AgentTasks;
  /** Tells what a tool prints while it runs. */
  tellOutput?: RunnerRequest["tellOutput"];
  keepOutput?: RunnerRequest["keepOutput"];
  knownFiles: KnownFiles;
  todos: { current: AgentTodo[] };
  /** Whether a file may be read to the model; absent when no rule forbids any. */
  mayRead?: ((file: string) => Promise<boolean>) | undefined;
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

export interface ToolDefinition<Schema extends z.ZodObject> {
  name: string;
  description: string;
  schema: Schema;
  needsPermission?: true;
  isConcurrent?: true;
  title(input: z.infer<Schema>): string;
  /** The file or folder that it is about: rules are held against where that really is. */
  file?(input: z.infer<Schema>): string | undefined;
  run(input: z.infer<Schema>, context: ToolContext): Promise<ToolOutcome>;
}

export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, schema, needsPermission = false, isConcurrent = false } = definition;
  // A key that the tool does not know could only be meant for who judges it.
  const strict = schema.strict();
  const { $schema: _, ...inputSchema } = z.toJSONSchema(strict, { io: "input" });
  return {
    name,
    description,
    inputSchema,
    needsPermission,
    isConcurrent,
    prepare(input) {
      const parsed = strict.safeParse(input);
      if (!parsed.success)
        return { refusal: `The input of ${name} is not valid:\n${z.prettifyError(parsed.error)}` };
      const data = parsed.data as z.infer<Schema>;
      return {
        title: definition.title(data),
        input: data,
        file: definition.file?.(data),
        run: (context) => definition.run(data, context),
      };
    },
  };
}
