import { blocksIn, isMessage } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/entries/entry.ts";
import { isJsonObject } from "../../format/json-object.ts";

/** An image that stands in an entry. */
export interface EntryImage {
  mediaType: string;
  /** In base64. */
  data: string;
  /** The tool whose result it is part of. */
  toolUseId: string | undefined;
}

/** What a browser shows without running any of it. */
const shownTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The images of an entry in its order. Those that are somewhere else are left out: nothing is loaded from there. */
export function entryImages(entry: Entry): EntryImage[] {
  return imagesIn(contentOf(entry), undefined);
}

function imagesIn(content: unknown, toolUseId: string | undefined): EntryImage[] {
  return blocksIn(content).flatMap((block): EntryImage[] => {
    const { type, source, content: inner, tool_use_id: answered } = block as Record<string, unknown>;
    if (type === "image") return imageIn(source, toolUseId);
    return typeof answered === "string" ? imagesIn(inner, answered) : [];
  });
}

function imageIn(source: unknown, toolUseId: string | undefined): EntryImage[] {
  const { media_type: mediaType, data } = isJsonObject(source) ? source : {};
  if (typeof mediaType !== "string" || typeof data !== "string" || !shownTypes.has(mediaType)) return [];
  return [{ mediaType, data, toolUseId }];
}

// A prompt that was typed while the agent worked has its content elsewhere.
function contentOf(entry: Entry): unknown {
  if (isMessage(entry)) return entry.message.content;
  const { content, attachment } = entry as { content?: unknown; attachment?: unknown };
  return isJsonObject(attachment) ? attachment["prompt"] : content;
}
