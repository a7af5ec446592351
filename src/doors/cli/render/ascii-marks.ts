// Each is as wide as what stands for it, so that tables stay straight.
const marks: Readonly<Record<string, string>> = {
  "✓": "+",
  "✗": "x",
  "●": "*",
  "•": "*",
  "✻": "*",
  "◆": "*",
  "⚙": "*",
  "❯": ">",
  "→": ">",
  "⎿": "|",
  "│": "|",
  "▏": "_",
  "─": "-",
  "·": "-",
  "×": "x",
  "≡": "=",
  "…": "~",
  "↑": "^",
  "↓": "v",
};
const known = new RegExp(`[${Object.keys(marks).join("")}]`, "g");

/** The text with our marks in ASCII, for a locale that has nothing else. What people and models wrote stays. */
export function asciiMarks(text: string): string {
  return text.replace(known, (mark) => marks[mark]!);
}

/** Whether the locale is C itself. Who set none mostly sits at a terminal of today, which shows them. */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  return locale === "C" || locale === "POSIX";
}
