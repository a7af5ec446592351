import { terminalLine } from "../../../lib/terminal-text.ts";
import { pathBelow } from "../../../lib/path-below.ts";
import type { FileHistory, FileSnapshot, TrackedFile } from "../../../store/companions/file-history.ts";
import type { Screen } from "../environment.ts";
import { formatBytes, formatMoment } from "../../../lib/quantities.ts";
import { shortIds } from "../render/short-ids.ts";
import { renderTable, type TableColumn } from "../render/table.ts";

interface FileRow {
  snapshot: FileSnapshot;
  file: TrackedFile;
  isFirst: boolean;
}

/** The snapshots of a session, each with the files that are in another state than in the one before. */
export function fileTable(history: FileHistory, screen: Screen): string[] {
  const rows = rowsOf(history);
  if (rows.length === 0) return [];
  const ids = shortIds(history.snapshots.map(({ messageId }) => messageId));
  const columns: TableColumn<FileRow>[] = [
    {
      title: "SNAPSHOT",
      value: ({ snapshot: { messageId }, isFirst }) =>
        isFirst ? terminalLine(ids.get(messageId) ?? messageId) : "",
      paint: "cyan",
    },
    {
      title: "TAKEN",
      value: ({ snapshot: { takenAt = "" }, isFirst }) => (isFirst ? formatMoment(takenAt) : ""),
      dropOrder: 2,
    },
    { title: "WAS", value: ({ file }) => stateText(file), isRight: true, dropOrder: 1 },
    { title: "FILE", value: ({ file }) => fileName(file, history.cwd), widthMin: 12, isPath: true },
  ];
  return [...renderTable(rows, columns, screen)];
}

// Every snapshot repeats all tracked files; only what moved on says something.
function rowsOf({ snapshots }: FileHistory): FileRow[] {
  const rows: FileRow[] = [];
  const states = new Map<string, string>();
  for (const snapshot of snapshots) {
    let isFirst = true;
    for (const file of snapshot.files) {
      const state = JSON.stringify(file.was);
      if (states.get(file.path) === state) continue;
      states.set(file.path, state);
      rows.push({ snapshot, file, isFirst });
      isFirst = false;
    }
  }
  return rows;
}

function stateText({ was }: TrackedFile): string {
  if (was.kind === "present") return formatBytes(was.bytes);
  return was.kind === "absent" ? "not there" : "backup lost";
}

function fileName({ path: file }: TrackedFile, cwd: string | undefined): string {
  return terminalLine((cwd && pathBelow(cwd, file)) || file);
}
