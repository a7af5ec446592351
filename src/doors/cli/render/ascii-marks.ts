/** Each mark of ours beside a sign of ASCII that is as wide. */
const signs: Readonly<Record<string, string>> = {
  "❯": ">",
  "─": "-",
  "│": "|",
  "▏": "_",
  "•": "*",
  "●": "*",
  "✻": "*",
  "◆": "*",
  "✓": "+",
  "✗": "x",
  "→": ">",
  "←": "<",
  "↑": "^",
  "↓": "v",
  "▸": ">",
  "□": "-",
  "☐": "-",
  "◐": "=",
  "☑": "+",
  "○": "-",
  "⚙": "&",
  "⚓": "# ",
  "⎿": "|",
  "≡": "=",
  "·": "-",
  "–": "-",
  "×": "x",
  "…": "~",
  "░": ".",
  "▎": "=",
  "▍": "=",
  "▌": "=",
  "▋": "=",
  "▊": "=",
  "▉": "=",
  "█": "#",
};
const marks = new RegExp(`[${Object.keys(signs).join("")}]`, "gu");

/** The text as a terminal without UTF-8 can show it. What others wrote stays as it is. */
export function asciiMarks(text: string): string {
  return text.replace(marks, (mark) => signs[mark]!);
}
