/** What stands in the first tag of this name, up to the last closing one; undefined where it is not opened. */
export function textInTag(text: string, tag: string): string | undefined {
  const open = new RegExp(`<${tag}(?:\\s[^>]*)?>`).exec(text);
  if (!open) return undefined;
  const start = open.index + open[0].length;
  const end = text.lastIndexOf(`</${tag}>`);
  return text.slice(start, end < start ? undefined : end).trim();
}

/** The slash command that a text stands for, with its arguments: `/goal ship it`; undefined where it is none. */
export function slashCommandIn(text: string): string | undefined {
  if (!/^\s*<command-(?:name|message|args)[\s>]/.test(text)) return undefined;
  const name = textInTag(text, "command-name") ?? textInTag(text, "command-message");
  return [name, textInTag(text, "command-args")].filter(Boolean).join(" ");
}
