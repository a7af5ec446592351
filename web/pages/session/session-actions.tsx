import { ask } from "../../api/ask.ts";
import { plural } from "../../../src/lib/quantities.ts";
import { confirmThen } from "../../parts/confirm.tsx";
import { go } from "../../routing/place.ts";
import { sessionUrl } from "../../routing/routes.ts";
import { say, sayError } from "../../shell/toasts.tsx";
import { sessionTitle, type SessionData } from "../sessions/session-row.tsx";
import type { Transcript } from "./row-store.ts";

const openSession = ({ sessionId, project }: SessionData): void => go(sessionUrl(sessionId, { project }));

export function forkSession({ id, project }: Pick<Transcript, "id" | "project">, at?: string): void {
  confirmThen({
    title: at === undefined ? "Fork this session" : "Fork here",
    text: "A new session begins with a copy of the conversation up to this message. This one stays as it is.",
    command: ["holdfast fork", id, at && `--at ${at}`].filter(Boolean).join(" "),
    action: "Fork",
    input: { label: "Title", isOptional: true },
    run: async (title) => {
      const body = { ...(at !== undefined && { at }), ...(title !== "" && { title }) };
      const { session, entries } = await ask("POST /api/sessions/{id}/fork", {
        path: { id },
        query: { project },
        body,
      });
      say(`Forked ${plural(entries, "entry", "entries")}`);
      openSession(session);
    },
  });
}

export function renameSession(session: SessionData, onChanged: () => void): void {
  const { sessionId: id, project } = session;
  confirmThen({
    title: "Rename the session",
    command: `holdfast rename ${id} "<title>"`,
    action: "Rename",
    input: { label: "Title", value: session.title ?? "" },
    run: async (title) => {
      await ask("POST /api/sessions/{id}/rename", { path: { id }, query: { project }, body: { title } });
      onChanged();
    },
  });
}

export function tagSession({ sessionId: id, project }: SessionData, onChanged: () => void): void {
  confirmThen({
    title: "Tag the session",
    text: "Without a tag, the one that it has is taken away.",
    command: `holdfast tag ${id} <tag>`,
    action: "Tag",
    input: { label: "Tag", isOptional: true },
    run: async (tag) => {
      await ask("POST /api/sessions/{id}/tag", {
        path: { id },
        query: { project },
        body: { tag: tag || null },
      });
      say(tag === "" ? "The tag is gone" : `Tagged ${tag}`);
      onChanged();
    },
  });
}

export function moveSession({ sessionId: id, project, cwd }: SessionData): void {
  confirmThen({
    title: "Move the session to another folder",
    text: "A client that is started there finds it.",
    command: `holdfast move ${id} <dir>`,
    action: "Move",
    input: { label: "Folder", value: cwd ?? "" },
    run: async (folder) => {
      const { session } = await ask("POST /api/sessions/{id}/move", {
        path: { id },
        query: { project },
        body: { cwd: folder },
      });
      say("Moved");
      openSession(session);
    },
  });
}

export function trashSession(session: SessionData): void {
  const { sessionId: id, project } = session;
  confirmThen({
    title: `Move “${sessionTitle(session).slice(0, 80)}” to the trash?`,
    text: "It can be restored from there, with everything that belongs to it.",
    command: `holdfast rm ${id}`,
    action: "Move to the trash",
    isDanger: true,
    run: async () => {
      await ask("POST /api/sessions/{id}/trash", { path: { id }, query: { project }, body: {} });
      go("/sessions");
      say("In the trash", { label: "Undo", run: () => void restoreSession(id, "trash") });
    },
  });
}

export function archiveSession({ sessionId: id, project }: SessionData, onChanged: () => void): void {
  confirmThen({
    title: "Archive the session",
    text: "It is packed into the archive, takes less room, and can still be read and searched.",
    command: `holdfast archive add ${id}`,
    action: "Archive",
    run: async () => {
      await ask("POST /api/sessions/{id}/archive", { path: { id }, query: { project }, body: {} });
      say("Archived", { label: "Undo", run: () => void restoreSession(id, "archive") });
      onChanged();
    },
  });
}

export async function restoreSession(id: string, from: "trash" | "archive"): Promise<void> {
  try {
    const { session } = await ask("POST /api/sessions/{id}/restore", { path: { id }, body: { from } });
    say("Restored");
    openSession(session);
  } catch (error) {
    sayError(error);
  }
}

/** Says first which files would be put back. */
export async function askToUndo(
  { id, project }: Pick<Transcript, "id" | "project">,
  to?: string,
): Promise<void> {
  const asked = { path: { id }, query: { project } };
  const at = to === undefined ? {} : { to };
  try {
    const { changes } = await ask("POST /api/sessions/{id}/undo", {
      ...asked,
      body: { ...at, dryRun: true },
    });
    const changed = changes.filter(({ kind }) => kind !== "same");
    if (changed.length === 0) {
      say("No file would change");
      return;
    }
    confirmThen({
      title: "Put files back to before this prompt?",
      text: `${changed.map(({ path, kind }) => `${kind} ${path}`).join("\n")}\n\nWhat they hold now is kept.`,
      command: ["holdfast files", id, "--undo", to && `--at ${to}`].filter(Boolean).join(" "),
      action: "Put back",
      isDanger: true,
      run: async () => {
        const done = await ask("POST /api/sessions/{id}/undo", { ...asked, body: { ...at, dryRun: false } });
        say(done.keptIn ? `Done; what they held is in ${done.keptIn}` : "Done");
      },
    });
  } catch (error) {
    sayError(error);
  }
}
