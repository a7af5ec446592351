import type { z } from "zod";
import type { Runtime } from "../../runtime/index.ts";

/** One tool: its words for the model, what it takes, and what it does. */
export interface Tool<Input = never> {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  /** Changes nothing. */
  isReadOnly: boolean;
  /** The answer, as a value that becomes JSON. Declared as a method, so that tools of all inputs fit one list. */
  call(input: Input, context: ToolContext): Promise<unknown>;
}

/** A tool whose `call` gets what its schema says. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<z.infer<Input>> & { input: Input }): Tool {
  return tool;
}

export interface ToolContext {
  runtime: Runtime;
  /** Where commands run unless a call says otherwise. */
  cwd: string;
  /** The session that the server was started for, if its client tells. */
  sessionId: string | undefined;
  /** The tool use in the conversation that this call is, if its client tells. */
  toolUseId: string | undefined;
  signal: AbortSignal;
  /** Does it when the answer is with the client; never, when it could not be sent. */
  whenDelivered: (act: () => void | Promise<void>) => void;
}

/** Who reads: what it is shown of its own tasks, it gets no notice of. */
export function readerOf({ sessionId }: ToolContext): { by: string; sessionId: string | undefined } {
  return { by: sessionId ?? "mcp", sessionId };
}
