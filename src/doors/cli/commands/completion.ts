import { defineCommand, type Command } from "../command.ts";
import { completeWords } from "../completion/complete-words.ts";
import { liveValues } from "../completion/live-values.ts";
import { usageError } from "../errors.ts";

export const command: Command = defineCommand({
  arguments: [
    {
      name: "shell",
      text: "the shell; words is for the scripts and prints what may replace the last word",
      kind: "text",
      choices: ["bash", "zsh", "fish", "words"],
    },
    {
      name: "words",
      text: "with words: what was typed so far",
      kind: "text",
      isOptional: true,
      isVariadic: true,
    },
  ],
  examples: [
    { line: `echo 'eval "$(holdfast completion bash)"' >> ~/.bashrc`, text: "for every new Bash" },
    { line: `echo 'eval "$(holdfast completion zsh)"' >> ~/.zshrc`, text: "for every new Zsh" },
    {
      line: "holdfast completion fish > ~/.config/fish/completions/holdfast.fish",
      text: "for every new fish",
    },
  ],
  options: [],
  async run(context, { arguments: [shell = "", ...words] }) {
    if (shell === "words") {
      const { values, ask } = await completeWords(words, liveValues(context));
      if (context.isJson) return context.writeJson({ values, ask: ask ?? null });
      const lines = values.map(({ value, text }) => `${value}\t${text}`);
      return context.writeLines(ask ? [...lines, `:${ask}`] : lines);
    }
    if (words.length > 0)
      throw usageError("completion", "Too many arguments: only words takes more than one");
    const { shellScripts } = await import("../completion/shell-scripts.ts");
    const script = shellScripts[shell as keyof typeof shellScripts];
    if (context.isJson) return context.writeJson({ shell, script });
    await context.output.write(script);
  },
});
