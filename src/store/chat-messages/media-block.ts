import { isJsonObject } from "../../format/json-object.ts";
import type { AnthropicDocument, AnthropicImage, AnthropicImageType } from "./anthropic-message.ts";
import { isImageType } from "./api-blocks.ts";

export interface Media {
  /** Base64 text, a URL, bytes, or an object of version 7 of the AI SDK that holds one of them. */
  data: unknown;
  mediaType?: unknown;
  filename?: unknown;
}

/** An image or file part of any version as a block of the Messages API; undefined when that has no place for it. */
export function mediaBlock({
  data,
  mediaType,
  filename,
}: Media): AnthropicImage | AnthropicDocument | undefined {
  const content = contentOf(data);
  if (!content) return undefined;
  const type = knownType(content.mediaType ?? mediaType, content);
  const titled = typeof filename === "string" && filename !== "" ? { title: filename } : {};
  if (content.kind === "url") {
    const source = { type: "url", url: content.url } as const;
    return type?.startsWith("image/") ? { type: "image", source } : { type: "document", source, ...titled };
  }
  if (isImageType(type)) {
    return { type: "image", source: { type: "base64", media_type: type, data: content.base64 } };
  }
  if (type === "application/pdf") {
    return {
      type: "document",
      source: { type: "base64", media_type: type, data: content.base64 },
      ...titled,
    };
  }
  if (!type?.startsWith("text/")) return undefined;
  const text = Buffer.from(content.base64, "base64").toString("utf8");
  return { type: "document", source: { type: "text", media_type: "text/plain", data: text }, ...titled };
}

type MediaContent =
  | { kind: "base64"; base64: string; mediaType?: string }
  | { kind: "url"; url: string; mediaType?: string };

function contentOf(data: unknown): MediaContent | undefined {
  if (data instanceof URL) return contentOfText(data.href);
  if (typeof data === "string") return contentOfText(data);
  if (data instanceof Uint8Array) return { kind: "base64", base64: Buffer.from(data).toString("base64") };
  if (data instanceof ArrayBuffer) return { kind: "base64", base64: Buffer.from(data).toString("base64") };
  if (!isJsonObject(data)) return undefined;
  const { type, text } = data;
  if (type === "data") return contentOf(data["data"]);
  if (type === "url") return contentOf(data["url"]);
  if (type !== "text" || typeof text !== "string") return undefined;
  return { kind: "base64", base64: Buffer.from(text).toString("base64"), mediaType: "text/plain" };
}

function contentOfText(text: string): MediaContent {
  if (/^https?:\/\//i.test(text)) return { kind: "url", url: text };
  const inline = /^data:([^;,]*)(;base64)?,(.*)$/is.exec(text);
  if (!inline) return { kind: "base64", base64: text };
  const [, mediaType = "", isBase64, body = ""] = inline;
  const base64 = isBase64 ? body : Buffer.from(decoded(body)).toString("base64");
  return { kind: "base64", base64, ...(mediaType !== "" && { mediaType }) };
}

// A percent sign that escapes nothing is one.
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** First characters of the base64 form of the images that the API takes. */
const imageBeginnings: readonly [string, AnthropicImageType][] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

/** The media type; where none or only `image/*` is given, what the bytes say. */
function knownType(given: unknown, content: MediaContent): string | undefined {
  if (typeof given === "string" && given !== "" && !given.endsWith("/*")) return given.toLowerCase();
  if (content.kind === "url") return typeof given === "string" ? given : undefined;
  return imageBeginnings.find(([beginning]) => content.base64.startsWith(beginning))?.[1];
}
