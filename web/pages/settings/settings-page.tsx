import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/route-shapes.ts";
import { useAsked } from "../../parts/asked.ts";
import { CommandLine } from "../../parts/copy.tsx";
import { Loading, Trouble } from "../../parts/states.tsx";
import { askForNotifications } from "../../shell/notifications.ts";
import { prefer, preferences, type Preferences } from "../../shell/preferences.ts";
import { setTitle } from "../../shell/title.ts";
import { say, sayError } from "../../shell/toasts.tsx";

type Settings = Answer<"GET /api/settings">;
type Setting = Settings["settings"][number];

/** How this browser shows things, and the settings of Holdfast itself. */
export function SettingsPage() {
  useEffect(() => setTitle("Settings"), []);
  return (
    <div class="page">
      <div class="page-in">
        <h1>Settings</h1>
        <ThisBrowser />
        <OfHoldfast />
        <About />
      </div>
    </div>
  );
}

function ThisBrowser() {
  const { theme, density, hasKeys, notifies, muted } = preferences.value;
  const canNotify = "Notification" in globalThis;
  return (
    <section aria-label="This browser">
      <h2 class="section-head">This browser</h2>
      <div class="card settings-grid">
        <label class="labelled">
          Colours
          <select
            class="field"
            value={theme}
            onChange={(event) => prefer({ theme: event.currentTarget.value as Preferences["theme"] })}
          >
            <option value="system">as the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <label class="labelled">
          Rows
          <select
            class="field"
            value={density}
            onChange={(event) => prefer({ density: event.currentTarget.value as Preferences["density"] })}
          >
            <option value="comfortable">comfortable</option>
            <option value="compact">compact</option>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={hasKeys}
            onChange={(event) => prefer({ hasKeys: event.currentTarget.checked })}
          />
          Single keys (press <kbd>?</kbd> to see them)
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={notifies}
            disabled={!canNotify}
            onChange={(event) =>
              event.currentTarget.checked ? void askForNotifications() : prefer({ notifies: false })
            }
          />
          Notify when an agent asks, or something ends unseen
        </label>
        {muted.length > 0 && (
          <button type="button" class="button" onClick={() => prefer({ muted: [] })}>
            Notify about {muted.length} muted again
          </button>
        )}
      </div>
    </section>
  );
}

function OfHoldfast() {
  const { answer, error, askAgain } = useAsked("GET /api/settings", {});
  const [changed, setChanged] = useState<Settings>();
  const shown = changed ?? answer;
  if (!shown) return error ? <Trouble error={error} onRetry={askAgain} /> : <Loading />;
  return (
    <section aria-label="Holdfast">
      <div class="section-head">
        <h2>Holdfast</h2>
        <span class="third mono any">{shown.file}</span>
      </div>
      <ul class="row-box">
        {shown.settings.map((setting) => (
          <li key={setting.key} class="check-row">
            <SettingRow setting={setting} onChanged={setChanged} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const fromWords = {
  default: "default",
  variable: "from the environment",
  file: "from the file",
  project: "from the project",
};

function SettingRow({ setting, onChanged }: { setting: Setting; onChanged: (settings: Settings) => void }) {
  const { key, text, description, form, from } = setting;
  const [typed, setTyped] = useState<string>();
  const save = async (value: string | null): Promise<void> => {
    try {
      onChanged(await ask("POST /api/settings", { body: { key, value } }));
      setTyped(undefined);
      say(value === null ? `${key} is as by default` : `${key} is ${value}`);
    } catch (error) {
      sayError(error);
    }
  };
  const choices = form.choices ?? (form.type === "boolean" ? ["true", "false"] : undefined);
  const label = `Value of ${key}`;
  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== undefined && typed !== text) void save(typed);
      }}
    >
      <div class="setting-about">
        <b class="mono">{key}</b>
        <p class="second any">{description}</p>
        {typed !== undefined && typed !== text && <CommandLine command={commandFor(setting, typed)} />}
      </div>
      <div class="setting-value">
        {choices ? (
          <select
            class="field"
            aria-label={label}
            value={typed ?? text}
            onChange={(event) => setTyped(event.currentTarget.value)}
          >
            {!choices.includes(text) && <option value={text}>{text || "not set"}</option>}
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        ) : (
          <input
            class="field"
            aria-label={label}
            value={typed ?? text}
            placeholder={form.type === "string" ? "not set" : `not set (${form.type})`}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <div class="bar">
          <span class="third">
            {fromWords[from.kind]}
            {from.name && ` ${from.name}`}
          </span>
          {typed !== undefined && typed !== text && (
            <button type="submit" class="button is-main push">
              Save
            </button>
          )}
          {typed === undefined && from.kind === "file" && (
            <button type="button" class="button is-quiet push" onClick={() => void save(null)}>
              Reset
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

// With what is typed in the place of what is set.
function commandFor({ command, key }: Setting, typed: string): string {
  const value = /^[\w.,:/@-]+$/.test(typed) ? typed : `'${typed.replaceAll("'", "'\\''")}'`;
  return `${command.slice(0, command.indexOf(key) + key.length)} ${value}`;
}

function About() {
  const { answer } = useAsked("GET /api/about", {});
  const leave = async (): Promise<void> => {
    try {
      await ask("POST /api/leave", { body: {} });
      location.reload();
    } catch (error) {
      sayError(error);
    }
  };
  if (!answer) return null;
  return (
    <section aria-label="About">
      <h2 class="section-head">About</h2>
      <div class="card stack">
        <dl class="facts">
          <dt>version</dt>
          <dd>{answer.version}</dd>
          <dt>home</dt>
          <dd class="mono">{answer.home}</dd>
          <dt>client's folder</dt>
          <dd class="mono">{answer.configDir}</dd>
          <dt>machine</dt>
          <dd>
            {answer.host}, {answer.platform}
          </dd>
          <dt>plugin</dt>
          <dd>{answer.plugin}</dd>
        </dl>
        <div>
          <button type="button" class="button" onClick={() => void leave()}>
            Sign this browser out
          </button>
        </div>
      </div>
    </section>
  );
}
