import type { CodeWord } from "../../src/conversation/highlight.ts";
import workerUrl from "./colour-worker.ts?worker&url";

/** Code that is longer stays plain: its colours would be thousands of elements. */
const LETTERS_MAX = 30_000;
const KEPT_MAX = 200;

export interface ColourAsked {
  id: number;
  text: string;
  language: string;
}

export interface ColourAnswer {
  id: number;
  words: CodeWord[] | undefined;
}

const kept = new Map<string, Promise<CodeWord[] | undefined>>();
const waiting = new Map<number, (words: CodeWord[] | undefined) => void>();
let worker: Worker | undefined;
let lastId = 0;

/** The words of code with what each is; undefined for a language that is not known. Found in a thread of its own. */
export function findColours(text: string, language: string): Promise<CodeWord[] | undefined> {
  if (text.length > LETTERS_MAX) return Promise.resolve(undefined);
  const key = `${language} ${text}`;
  const known = kept.get(key);
  if (known) return known;
  const found = askWorker(text, language);
  kept.set(key, found);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return found;
}

function askWorker(text: string, language: string): Promise<CodeWord[] | undefined> {
  worker ??= startWorker();
  const id = ++lastId;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker!.postMessage({ id, text, language } satisfies ColourAsked);
  });
}

function startWorker(): Worker {
  const made = new Worker(trustedWorkerUrl() as string, { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<ColourAnswer>) => {
    waiting.get(data.id)?.(data.words);
    waiting.delete(data.id);
  });
  return made;
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => unknown };
}

// The policy of the page lets no script in but by a name; this one lets in the one address that was built into the page.
function trustedWorkerUrl(): unknown {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  return types
    ? types.createPolicy("holdfast", { createScriptURL: () => workerUrl }).createScriptURL(workerUrl)
    : workerUrl;
}
