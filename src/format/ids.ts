import { agentIdRandomLength, idLengthMax, taskIdAttemptsMax, taskIdRandomLength } from "./limits.ts";
import { isSafeName } from "./paths.ts";

/** Kinds that Holdfast starts itself, and so makes ids for. */
export type NewTaskIdKind = "bash" | "agent" | "main-session" | "remote";
export type TaskIdKind = NewTaskIdKind | "teammate" | "internal";

/**
 * Which generation of ids a task id belongs to. The eras do not overlap in length or alphabet, with one
 * exception that never changes the kind: `a` + 16 characters that all happen to be hex is read as
 * `letter-hex16` although our own base-36 ids could look the same.
 */
export type TaskIdEra = "numbered" | "hex" | "letter-hex6" | "letter-hex16" | "letter-base36" | "named";

export interface TaskId {
  readonly id: string;
  readonly kind: TaskIdKind;
  readonly era: TaskIdEra;
}

/** Reads a task id of any era; undefined when it is none. What it accepts is always a safe file name. */
export function parseTaskId(id: string): TaskId | undefined {
  if (id.length > idLengthMax || !isSafeName(id)) return undefined;
  for (const { pattern, kind, era } of taskIdForms) {
    if (pattern.test(id)) return { id, kind, era };
  }
  return undefined;
}

/** The kind alone, for callers that only route by it. */
export function taskKindOfId(id: string): TaskIdKind | undefined {
  return parseTaskId(id)?.kind;
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
    const id = kind === "agent" ? `a${randomHex(random)}` : letterOfKind[kind] + randomBase36(random);
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

/** In this order, because the narrower hex form of agents must win over the base-36 one. */
const taskIdForms: readonly (Omit<TaskId, "id"> & { readonly pattern: RegExp })[] = [
  { pattern: /^bash_\d+$/, kind: "bash", era: "numbered" },
  { pattern: /^[0-9a-f]{6}$/, kind: "bash", era: "hex" },
  { pattern: /^[0-9a-f]{8}$/, kind: "agent", era: "hex" },
  { pattern: /^b[0-9a-f]{6}$/, kind: "bash", era: "letter-hex6" },
  { pattern: /^a[0-9a-f]{6}$/, kind: "agent", era: "letter-hex6" },
  { pattern: /^a[0-9a-f]{16}$/, kind: "agent", era: "letter-hex16" },
  { pattern: /^b[0-9a-z]{8,}$/, kind: "bash", era: "letter-base36" },
  { pattern: /^a[0-9a-z]{8,}$/, kind: "agent", era: "letter-base36" },
  { pattern: /^s[0-9a-z]{8,}$/, kind: "main-session", era: "letter-base36" },
  { pattern: /^r[0-9a-z]{8,}$/, kind: "remote", era: "letter-base36" },
  { pattern: /^a(?:compact|prompt_suggestion)-[0-9a-f]{6,}$/, kind: "internal", era: "named" },
  { pattern: /^[^@\s<>&"']+@[^@\s<>&"']+$/, kind: "teammate", era: "named" },
];

/** The client sends messages to agents only by ids of this form. */
function randomHex(random: (byteCount: number) => Uint8Array): string {
  const byteCount = agentIdRandomLength / 2;
  let digits = "";
  for (let draw = 0; draw < taskIdAttemptsMax && digits.length < agentIdRandomLength; draw += 1)
    for (const byte of random(byteCount)) digits += byte.toString(16).padStart(2, "0");
  return digits.slice(0, agentIdRandomLength);
}

const base36Digits = "0123456789abcdefghijklmnopqrstuvwxyz";
/** Bytes from here on would favour the first digits: 252 is the largest multiple of 36 in a byte. */
const unbiasedByteEnd = 252;

function randomBase36(random: (byteCount: number) => Uint8Array): string {
  let digits = "";
  for (let draw = 0; draw < taskIdAttemptsMax; draw += 1) {
    for (const byte of random(taskIdRandomLength)) {
      if (byte < unbiasedByteEnd) digits += base36Digits.charAt(byte % 36);
      if (digits.length === taskIdRandomLength) return digits;
    }
  }
  throw new Error(`Cannot make a task id: the random source gave no usable byte ${taskIdAttemptsMax} times`);
}
