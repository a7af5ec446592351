import { highlight } from "../../src/conversation/highlight.ts";
import type { ColourAnswer, ColourAsked } from "./find-colours.ts";

// A thread of the page: finds the words of code, which may take longer than a frame.
addEventListener("message", ({ data: { id, text, language } }: MessageEvent<ColourAsked>) => {
  postMessage({ id, words: highlight(text, language) } satisfies ColourAnswer);
});
