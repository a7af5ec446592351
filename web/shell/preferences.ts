import { effect, signal } from "@preact/signals";

/** What this browser likes, and keeps. */
export interface Preferences {
  theme: "system" | "light" | "dark";
  density: "comfortable" | "compact";
  hasKeys: boolean;
  notifies: boolean;
  listWidth: number;
  wrapsOutput: boolean;
  /** Tasks and sessions that do not notify. */
  muted: string[];
}

const KEY = "holdfast";
const defaults: Preferences = {
  theme: "system",
  density: "comfortable",
  hasKeys: true,
  notifies: false,
  listWidth: 380,
  wrapsOutput: false,
  muted: [],
};

export const preferences = signal<Preferences>({ ...defaults, ...read() });

export function prefer(changes: Partial<Preferences>): void {
  preferences.value = { ...preferences.peek(), ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences.peek()));
  } catch {
    // A browser that keeps nothing: it holds as long as the page is open.
  }
}

export function startPreferences(): void {
  effect(() => {
    const { theme, density, listWidth } = preferences.value;
    const root = document.documentElement;
    if (theme === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = theme;
    root.dataset["density"] = density;
    root.style.setProperty("--list", `${listWidth}px`);
  });
  addEventListener("storage", ({ key }) => {
    if (key === KEY) preferences.value = { ...defaults, ...read() };
  });
}

function read(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>;
  } catch {
    return {};
  }
}
