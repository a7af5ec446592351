import fs from "node:fs";
import type { Entry } from "../../format/entries/entry.ts";
import { findConversation } from "../../store/read/find-conversation.ts";
import { openTranscriptFile } from "../../store/read/open-transcript.ts";
import { ConversationRows } from "./conversation-rows.ts";
import { windowRowsMax } from "./limits.ts";
import type { RowAddress } from "./row-address.ts";
import type { RowWindow } from "./row.ts";

export interface EndQuery {
  file: string;
  limit: number;
  owed: readonly Entry[];
  address: RowAddress;
}

/**
 * The last rows of a conversation without counting those before them: costs what they cost, not what the file costs. So they
 * have no numbers yet.
 */
export async function readEnd({ file, limit, owed, address }: EndQuery): Promise<RowWindow> {
  const count = Math.min(limit, windowRowsMax);
  const fd = openTranscriptFile(file);
  try {
    // About half of the entries are results, which are in the rows of their calls.
    const found = await findConversation(file, fd, { last: count * 2 });
    const rows = new ConversationRows({ found, fd, owed });
    const first = Math.max(0, rows.total - count);
    const numbers = Array.from({ length: rows.total - first }, (_, index) => first + index);
    return {
      generation: null,
      total: null,
      from: null,
      rows: numbers.map((row) => rows.read(row, address, null)),
    };
  } finally {
    fs.closeSync(fd);
  }
}
