import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Asked } from "../../api/route-shapes.ts";
import { useAsked } from "../../parts/asked.ts";
import { Icon } from "../../parts/icon.tsx";
import { go } from "../../routing/place.ts";
import { taskUrl } from "../../routing/routes.ts";
import { say, sayError } from "../../shell/toasts.tsx";
import { titleOf } from "../../parts/task-row.tsx";
import { FolderField } from "./folder-field.tsx";

type StartBody = Asked<"POST /api/start">["body"];
type Where = "here" | "worktree" | "fleet";

/** Starts a command (it begins with `!`) or an agent: here, in a worktree, or on the fleet. */
export function StartBox({ onStarted, from }: { onStarted: () => void; from?: string }) {
  const [text, setText] = useState("");
  const [cwd, setCwd] = useState("");
  const [agent, setAgent] = useState("");
  const [type, setType] = useState("");
  const [model, setModel] = useState("");
  const [permission, setPermission] = useState("");
  const [where, setWhere] = useState<Where>("here");
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { answer: choices } = useAsked("GET /api/start", { query: { cwd } });
  const isCommand = text.trimStart().startsWith("!");
  useEffect(() => {
    if (choices && cwd === "") setCwd(choices.cwd);
  }, [choices]);

  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    const said = text.trim().replace(/^!\s*/, "");
    if (said === "" || isBusy) return;
    setBusy(true);
    const folder = cwd || choices?.cwd || "";
    const body: StartBody = isCommand
      ? { kind: "command", command: said, cwd: folder, ...(where === "worktree" && { worktree: true }) }
      : {
          kind: "agent",
          prompt: said,
          cwd: folder,
          where,
          ...(agent && { agent }),
          ...(type && { type }),
          ...(model && { model }),
          ...(permission && { permission: permission as "ask" }),
          ...(from && { from }),
        };
    try {
      const { task } = await ask("POST /api/start", { body });
      setText("");
      say(`Started ${titleOf(task)}`, { label: "Open", run: () => go(taskUrl(task.id)) });
      onStarted();
    } catch (error) {
      sayError(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      class="start-box card"
      aria-label="Start work"
      onSubmit={(event) => void start(event)}
      onFocusCapture={() => setOpen(true)}
    >
      <div class="bar start-line">
        <textarea
          ref={field}
          class="field grow"
          rows={1}
          aria-label="Prompt for an agent, or a command after !"
          placeholder="Ask an agent, or !command"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) void start(event);
          }}
        />
        <button type="submit" class="button is-main" disabled={isBusy || text.trim() === ""}>
          <Icon name="send" />
          {isCommand ? "Run" : "Start"}
        </button>
      </div>
      {(isOpen || text !== "") && choices && (
        <div class="start-options">
          <FolderField value={cwd} recent={choices.folders} onChange={setCwd} />
          <label class="labelled">
            Where
            <select
              class="field"
              value={where}
              onChange={(event) => setWhere(event.currentTarget.value as Where)}
            >
              <option value="here">in this folder</option>
              <option value="worktree" disabled={!choices.isGit}>
                in a new worktree{choices.isGit ? "" : " (no git)"}
              </option>
              {!isCommand && (
                <option value="fleet" disabled={!choices.fleet}>
                  on the fleet{choices.fleet ? "" : " (not set up)"}
                </option>
              )}
            </select>
          </label>
          {!isCommand && (
            <>
              <label class="labelled">
                Agent
                <select class="field" value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
                  <option value="">as settings say</option>
                  {choices.agents.map(({ name, isFound, isDefault }) => (
                    <option key={name} value={name} disabled={!isFound}>
                      {name}
                      {isDefault ? " (default)" : isFound ? "" : " (not found)"}
                    </option>
                  ))}
                </select>
              </label>
              <label class="labelled">
                Type
                <select class="field" value={type} onChange={(event) => setType(event.currentTarget.value)}>
                  <option value="">general-purpose</option>
                  {choices.types.map(({ name, description }) => (
                    <option key={name} value={name} title={description}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
              <label class="labelled">
                Tools
                <select
                  class="field"
                  value={permission}
                  onChange={(event) => setPermission(event.currentTarget.value)}
                >
                  <option value="">as settings say ({choices.permission})</option>
                  <option value="ask">ask me</option>
                  <option value="rules">by the client's rules</option>
                  <option value="allow">allow all</option>
                  <option value="deny">deny all</option>
                </select>
              </label>
              <label class="labelled">
                Model
                <input
                  class="field"
                  value={model}
                  placeholder={choices.model ?? "default"}
                  onInput={(event) => setModel(event.currentTarget.value)}
                />
              </label>
            </>
          )}
        </div>
      )}
    </form>
  );
}
