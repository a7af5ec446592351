import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { testHome, type TestHome } from "./run-holdfast.ts";
import { TranscriptBuilder } from "./transcript-builder.ts";

export interface EditedHome {
  home: TestHome;
  sessionId: string;
  prompt: string;
  edited: string;
  made: string;
}

/** A session that changed one file and made another. */
export function homeWithEdits(): EditedHome {
  const home = testHome();
  const builder = new TranscriptBuilder({ cwd: home.cwd });
  const edited = path.join(home.cwd, "a.txt");
  const made = path.join(home.cwd, "b.txt");
  const prompt = builder.prompt("Change it").uuid ?? "";
  const backupFileName = `${createHash("sha256").update(edited).digest("hex").slice(0, 16)}@v1`;
  const backup = { version: 1, backupTime: "2026-03-04T05:06:07.000Z" };
  builder.meta("file-history-snapshot", {
    messageId: prompt,
    isSnapshotUpdate: false,
    snapshot: {
      messageId: prompt,
      timestamp: "2026-03-04T05:06:07.000Z",
      trackedFileBackups: {
        "a.txt": { backupFileName, ...backup },
        "b.txt": { backupFileName: null, ...backup },
      },
    },
  });
  builder.reply("Changed.");
  const { sessionId } = builder.write(home.configDir);
  const dir = path.join(home.configDir, "file-history", sessionId);
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, backupFileName), "old\n");
  fs.writeFileSync(edited, "new\n");
  fs.writeFileSync(made, "made\n");
  return { home, sessionId, prompt, edited, made };
}
