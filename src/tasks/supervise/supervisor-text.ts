import fs from "node:fs";

type Script = "launcher.sh" | "supervisor.sh" | "take-charge.sh";

// Tasks are started with the text, never with the path.
const texts = new Map<string, string>();

/** The supervisor's script, which takes charge of its task. */
export function supervisorText(): string {
  return `_is_in_charge=\n${textOf("take-charge.sh")}${textOf("supervisor.sh")}`;
}

/** The resident launcher's, which takes charge of what it launches and becomes its supervisor. */
export function launcherText(): string {
  return `${textOf("launcher.sh")}${textOf("take-charge.sh")}_supervise() {\n${textOf("supervisor.sh")}}\n`;
}

function textOf(name: Script): string {
  const text = texts.get(name) ?? fs.readFileSync(new URL(`./${name}`, import.meta.url), "utf8");
  texts.set(name, text);
  return text;
}
