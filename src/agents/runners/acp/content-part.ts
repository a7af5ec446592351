import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ContentPart } from "../../../tasks/ports.ts";

/** A block of the protocol as a block of the Messages API; what that has no form for becomes words. */
export function contentPart(block: ContentBlock): ContentPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return {
        type: "image",
        source: { type: "base64", media_type: block.mimeType, data: block.data },
      };
    case "resource_link":
      return { type: "text", text: `${block.title ?? block.name}: ${block.uri}` };
    case "resource":
      return { type: "text", text: "text" in block.resource ? block.resource.text : block.resource.uri };
    default:
      return { type: "text", text: `[${block.type}]` };
  }
}
