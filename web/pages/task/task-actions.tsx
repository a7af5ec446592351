import { ask } from "../../api/ask.ts";
import { noteRows } from "../../live/live-rows.ts";
import { confirmThen } from "../../parts/confirm.tsx";
import { copyText } from "../../parts/copy.tsx";
import { Menu, MenuItem } from "../../parts/menu.tsx";
import { titleOf, type TaskRowData } from "../../parts/task-row.tsx";
import { go } from "../../routing/place.ts";
import { taskUrl } from "../../routing/routes.ts";
import { useKeys } from "../../shell/keys.ts";
import { setMuted } from "../../shell/notifications.ts";
import { preferences } from "../../shell/preferences.ts";
import { say, sayError } from "../../shell/toasts.tsx";
import type { TaskCardData } from "./task-card.ts";

/** What can be done with a task now; what cannot be taken back asks first, and shows its command. */
export function TaskActions({
  card,
  row,
  onChanged,
}: {
  card: TaskCardData;
  row: TaskRowData;
  onChanged: () => void;
}) {
  const { id } = row;
  const path = { id };
  const isLive = row.status === "running" || row.status === "queued";
  const isAgent = row.kind !== "local_bash";
  const { commands } = card;
  const isMuted = preferences.value.muted.includes(id);

  const take = ({ task }: { task: TaskRowData }): void => {
    noteRows([task]);
    onChanged();
  };
  const openNew = ({ task }: { task: TaskRowData }): void => {
    noteRows([task]);
    go(taskUrl(task.id));
  };
  const now = (work: Promise<unknown>): void => void work.catch(sayError);

  const stop = (): void =>
    confirmThen({
      title: `Stop ${titleOf(row)}?`,
      text: "It gets a signal to end, and is killed if it does not. What it has printed stays.",
      command: commands.stop,
      action: "Stop",
      isDanger: true,
      input: { label: "Why (others see it)", isOptional: true },
      run: async (reason) =>
        take(await ask("POST /api/tasks/{id}/stop", { path, body: reason === "" ? {} : { reason } })),
    });
  const restart = (): void =>
    confirmThen({
      title: `Start ${titleOf(row)} once more?`,
      command: commands.restart,
      action: "Restart",
      run: async () => openNew(await ask("POST /api/tasks/{id}/restart", { path, body: {} })),
    });
  const goOn = (): void =>
    confirmThen({
      title: "Go on with the conversation",
      text: "The agent goes on as a new task, with everything that it knows.",
      command: commands.resume,
      action: "Go on",
      input: { label: "What to do next", isLong: true, isOptional: true },
      run: async (prompt) =>
        openNew(await ask("POST /api/tasks/{id}/continue", { path, body: prompt === "" ? {} : { prompt } })),
    });
  const remove = (): void =>
    confirmThen({
      title: `Remove ${titleOf(row)}?`,
      text: "Its record and its output are deleted. This cannot be undone.",
      command: `holdfast rm ${id}`,
      action: "Remove",
      isDanger: true,
      run: async () => {
        await ask("POST /api/tasks/{id}/remove", { path, body: {} });
        say("Removed");
        go("/tasks");
      },
    });
  const teleport = (): void =>
    confirmThen({
      title: "Bring it home",
      text: "The run ends on the fleet; its conversation and its folder come to this machine, in a worktree of their own.",
      command: `holdfast teleport ${id}`,
      action: "Bring it home",
      input: { label: "Branch", isOptional: true },
      run: async (branch) => {
        const brought = await ask("POST /api/tasks/{id}/teleport", {
          path,
          body: branch === "" ? {} : { branch },
        });
        say(brought.folder ? `Brought to ${brought.folder}` : "Brought home");
        take(brought);
      },
    });

  useKeys({
    s: () => isLive && stop(),
    y: () => void copyText(id, "Copied the id"),
    Y: () => void copyText(commands.resume ?? commands.attach ?? commands.logs ?? id, "Copied the command"),
  });

  return (
    <div class="bar actions">
      {isLive && (
        <button type="button" class="button is-danger" onClick={stop}>
          Stop
        </button>
      )}
      {!isLive && row.attention !== null && (
        <button
          type="button"
          class="button"
          onClick={() => now(ask("POST /api/tasks/{id}/seen", { path, body: {} }).then(take))}
        >
          Seen
        </button>
      )}
      {!isLive && isAgent && (
        <button type="button" class="button" onClick={goOn}>
          Go on …
        </button>
      )}
      {!isLive && !isAgent && (
        <button type="button" class="button" onClick={restart}>
          Restart
        </button>
      )}
      <Menu label="More actions">
        <MenuItem onChoose={() => void copyText(id, "Copied the id")}>Copy its id</MenuItem>
        {commands.attach && (
          <MenuItem onChoose={() => void copyText(commands.attach!, "Copied")}>
            Copy the command that attaches
          </MenuItem>
        )}
        {commands.resume && (
          <MenuItem onChoose={() => void copyText(commands.resume!, "Copied")}>
            Copy the command that resumes
          </MenuItem>
        )}
        {row.kind === "remote_agent" && <MenuItem onChoose={teleport}>Bring it home …</MenuItem>}
        <MenuItem onChoose={() => setMuted(id, !isMuted)}>
          {isMuted ? "Notify about it again" : "Do not notify about it"}
        </MenuItem>
        {isLive && (
          <MenuItem onChoose={() => now(ask("POST /api/tasks/{id}/mute", { path, body: {} }).then(take))}>
            Tell nobody when it ends
          </MenuItem>
        )}
        <MenuItem
          onChoose={() =>
            now(
              ask("POST /api/tasks/{id}/retain", { path, body: { isRetained: !row.isRetained } }).then(take),
            )
          }
        >
          {row.isRetained ? "Let it be pruned again" : "Keep it for ever"}
        </MenuItem>
        {!isLive && isAgent && <MenuItem onChoose={restart}>Start once more …</MenuItem>}
        {!isLive && (
          <MenuItem isDanger onChoose={remove}>
            Remove …
          </MenuItem>
        )}
      </Menu>
    </div>
  );
}
