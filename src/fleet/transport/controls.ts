import { randomUUID } from "node:crypto";
import { parseJson } from "../../lib/read-json.ts";
import type { FleetConnection } from "./connection.ts";
import { followMessages } from "./follow-messages.ts";
import { controlStream, controlSubject } from "./names.ts";
import { untilServed } from "./retry.ts";

/** What one can tell a run that goes on elsewhere. */
export type Control =
  | { kind: "stop"; by: string; reason?: string }
  /** Said to the agent at its next turn. */
  | { kind: "say"; id: string; text: string }
  /** Answers a question about a tool. */
  | { kind: "answer"; requestId: string; answer: ControlAnswer }
  /** Ends the run where it is and keeps its workspace, so that it can go on at home. */
  | { kind: "bring-home"; by: string };

export type ControlAnswer = { behavior: "allow"; always?: boolean } | { behavior: "deny"; message: string };

export interface SentControl {
  sequence: number;
  control: Control;
}

/** Sends a control; when this returns it is kept until the run's worker, whoever that is by then, has obeyed. */
export async function sendControl(
  { js }: FleetConnection,
  run: { sessionId: string; run: number },
  control: Control,
): Promise<number> {
  const msgID = randomUUID();
  const { seq } = await untilServed(
    () => js.publish(controlSubject(run), JSON.stringify(control), { msgID, retries: 0 }),
    { timeoutMs: SEND_MS },
  );
  return seq;
}

export interface FollowedControls {
  sessionId: string;
  /** Without it those that name no run. */
  run: number | undefined;
  after: number;
  signal: AbortSignal;
  /** Told when all that was sent so far was given. */
  onCaughtUp: () => void;
}

/** The controls of a run as they come, behind those that were obeyed already, until the signal. */
export async function* followControls(
  connection: FleetConnection,
  { sessionId, run, ...following }: FollowedControls,
): AsyncGenerator<SentControl> {
  const subject = controlSubject({ sessionId, run });
  for await (const message of followMessages(connection, { stream: controlStream, subject, ...following })) {
    const control = parseControl(message.data);
    if (control) yield { sequence: message.sequence, control };
  }
}

const SEND_MS = 30_000;
const kinds: ReadonlySet<string> = new Set<Control["kind"]>(["stop", "say", "answer", "bring-home"]);

function parseControl(data: Uint8Array): Control | undefined {
  const control = parseJson(data) as Control | null | undefined;
  return control && kinds.has(control.kind) ? control : undefined;
}
