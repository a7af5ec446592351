import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { closeDialog, Dialog, showDialog } from "../parts/dialog.tsx";
import { Icon, type IconName } from "../parts/icon.tsx";
import { titleOf } from "../parts/task-row.tsx";
import { go } from "../routing/place.ts";
import { sessionUrl, taskUrl } from "../routing/routes.ts";
import { railEntries } from "./rail-entries.ts";

interface Choice {
  key: string;
  icon: IconName;
  text: string;
  more: string;
  href: string;
}

export function showPalette(): void {
  showDialog(<Palette />);
}

const FOUND_MAX = 12;

/** Goes to any page, task or session by some words of it. */
function Palette() {
  const [words, setWords] = useState("");
  const [found, setFound] = useState<Choice[]>([]);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    findChoices(words, stop.signal).then(setFound, () => {});
    setAt(0);
    return () => stop.abort();
  }, [words]);
  const choices = [...pageChoices(words), ...found];
  useEffect(
    () => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" }),
    [at],
  );
  const open = (choice: Choice | undefined): void => {
    if (!choice) return;
    closeDialog();
    go(choice.href);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, choices.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter") open(choices[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Go to">
      <input
        class="field palette-input"
        placeholder="Go to a page, a task, a session"
        aria-label="Go to a page, a task, a session"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={choices[at] && `palette-${at}`}
        autofocus
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Found" ref={list}>
        {choices.map((choice, index) => (
          <div
            key={choice.key}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(choice)}
            onPointerMove={() => setAt(index)}
          >
            <Icon name={choice.icon} />
            <span class="cut" dir="auto">
              {choice.text}
            </span>
            <span class="third cut push">{choice.more}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function pageChoices(words: string): Choice[] {
  const wanted = words.trim().toLowerCase();
  const pages = [...railEntries, { page: "trash", href: "/trash", icon: "trash", label: "Trash" } as const];
  return pages
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ page, href, icon, label }) => ({ key: page, href, icon, text: label, more: "" }));
}

async function findChoices(words: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { q: words.trim(), limit: FOUND_MAX };
  const [{ tasks }, { sessions }] = await Promise.all([
    ask("GET /api/tasks", { query }, { signal }),
    ask("GET /api/sessions", { query }, { signal }),
  ]);
  return [
    ...tasks.map((task): Choice => ({
      key: `task ${task.id}`,
      icon: task.kind === "local_bash" ? "tasks" : "agent",
      text: titleOf(task),
      more: task.status,
      href: taskUrl(task.id),
    })),
    ...sessions.map((session): Choice => ({
      key: `session ${session.project} ${session.sessionId}`,
      icon: "sessions",
      text: session.title ?? session.firstPrompt ?? session.sessionId,
      more: session.gitBranch ?? "",
      href: sessionUrl(session.sessionId, { project: session.project }),
    })),
  ];
}
