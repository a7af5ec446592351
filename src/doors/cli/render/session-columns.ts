import { terminalLine } from "../../../lib/terminal-text.ts";
import { formatBytes } from "../../../lib/quantities.ts";
import { displayPath } from "./display-path.ts";
import { shortIds } from "./short-ids.ts";
import type { TableColumn } from "./table.ts";

/** A session that was put away: in the archive, or in the trash. */
interface StoredSession {
  sessionId: string;
  project: string;
  cwd?: string | undefined;
  title?: string | undefined;
  firstPrompt?: string | undefined;
  bytes: number;
}

/** The columns that all lists of sessions put away have; a narrow terminal loses the project first, then the size. */
export function sessionColumns(
  sessions: readonly StoredSession[],
  userHome: string,
): {
  id: TableColumn<StoredSession>;
  size: TableColumn<StoredSession>;
  project: TableColumn<StoredSession>;
  title: TableColumn<StoredSession>;
} {
  const ids = shortIds(sessions.map(({ sessionId }) => sessionId));
  return {
    id: { title: "ID", value: ({ sessionId: id }) => terminalLine(ids.get(id) ?? id), paint: "cyan" },
    size: { title: "SIZE", value: ({ bytes }) => formatBytes(bytes), isRight: true, dropOrder: 2 },
    project: {
      title: "PROJECT",
      value: ({ cwd, project }) => (cwd === undefined ? terminalLine(project) : displayPath(cwd, userHome)),
      widthMin: 12,
      isPath: true,
      dropOrder: 1,
      paint: "dim",
    },
    title: {
      title: "TITLE",
      value: ({ title, firstPrompt }) => terminalLine(title ?? firstPrompt ?? ""),
      widthMin: 16,
    },
  };
}
