import { agentIdRandomLength, idLengthMax, taskIdAttemptsMax, taskIdRandomLength } from "./limits.ts";
import { isSafeName } from "./paths.ts";

/** Kinds that Holdfast starts itself, and so makes ids for. */
export type NewTaskIdKind = "bash" | "agent" | "main-session" | "remote";
export type TaskIdKind = NewTaskIdKind | "workflow" | "teammate" | "internal";

export interface TaskId {
  readonly id: string;
  readonly kind: TaskIdKind;
}

/** Reads a task id of any era; undefined when it is none. What it accepts is always a safe file name. */
export function parseTaskId(id: string): TaskId | undefined {
  if (id.length > idLengthMax || !isSafeName(id)) return undefined;
  const kind = taskIdForms.find(({ pattern }) => pattern.test(id))?.kind;
  return kind && { id, kind };
}

/**
 * Makes an id that is not taken. `random` returns that many random bytes. Throws when it cannot find a
 * free one, which means a broken source. Only creating the record with O_EXCL makes an id finally yours.
 */
export function newTaskId(
  kind: NewTaskIdKind,
  random: (byteCount: number) => Uint8Array,
  isTaken: (id: string) => boolean,
): string {
  for (let attempt = 0; attempt < taskIdAttemptsMax; attempt += 1) {
    const id = letterOfKind[kind] + randomDigits(random, kind === "agent" ? agentDigits : plainDigits);
    if (!isTaken(id)) return id;
  }
  throw new Error(`Cannot make a ${kind} task id: ${taskIdAttemptsMax} random ids in a row are taken`);
}

/** Any UUID version: sessions are v4 or v7, entries v4, and forks keep whatever they copied. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

const letterOfKind: Record<NewTaskIdKind, string> = {
  bash: "b",
  agent: "a",
  "main-session": "s",
  remote: "r",
};

const plainDigits = { base: 36, length: taskIdRandomLength };
/** The client sends messages to agents only by ids of this form. */
const agentDigits = { base: 16, length: agentIdRandomLength };

/** Of every client version. The order does not matter: no id has two forms of different kinds. */
const taskIdForms: readonly { readonly kind: TaskIdKind; readonly pattern: RegExp }[] = [
  { kind: "bash", pattern: /^(?:bash_\d+|[0-9a-f]{6}|b[0-9a-f]{6}|b[0-9a-z]{8,})$/ },
  { kind: "agent", pattern: /^(?:[0-9a-f]{8}|a[0-9a-f]{6}|a[0-9a-z]{8,})$/ },
  { kind: "main-session", pattern: /^s[0-9a-z]{8,}$/ },
  { kind: "remote", pattern: /^r[0-9a-z]{8,}$/ },
  { kind: "workflow", pattern: /^w[0-9a-z]{8,}$/ },
  { kind: "internal", pattern: /^a(?:compact|prompt_suggestion|side_question)-[0-9a-f]{6,}$/ },
  { kind: "teammate", pattern: /^[^@\s<>&"']+@[^@\s<>&"']+$/ },
];

function randomDigits(
  random: (byteCount: number) => Uint8Array,
  { base, length }: { base: number; length: number },
): string {
  // Bytes from here on would favour the first digits.
  const unbiasedEnd = 256 - (256 % base);
  let digits = "";
  for (let draw = 0; draw < taskIdAttemptsMax; draw += 1) {
    for (const byte of random(length)) {
      if (byte < unbiasedEnd) digits += (byte % base).toString(base);
      if (digits.length === length) return digits;
    }
  }
  throw new Error(`Cannot make a task id: the random source gave no usable byte ${taskIdAttemptsMax} times`);
}
