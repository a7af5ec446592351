import type { ShellWord } from "./shell-word.ts";

/**
 * Whether a git may run a program of the caller's choice: by an option, which git also takes by its beginning, by a setting,
 * or by a verb that is there to run something.
 */
export function gitRuns(rest: readonly ShellWord[]): boolean {
  // Options before the verb may have a value, so it is not known which word it is.
  const verbs = rest.flatMap(({ text = "" }) => (text.startsWith("-") ? [] : [text])).slice(0, 3);
  const isVerb = (names: RegExp): boolean => verbs.some((verb) => names.test(verb));
  const first = rest.find(({ text }) => !text?.startsWith("-"));
  const mayBeOption = first?.text === undefined || isVerb(takingPrograms);
  return (
    rest.some(({ text }) => (text === undefined ? mayBeOption : runningOption.test(text))) ||
    isVerb(runningVerbs) ||
    (isVerb(/^clone$/) && rest.some(({ text = "" }) => /^-[a-zA-Z]*u/.test(text))) ||
    (isVerb(/^rebase$/) && rest.some(({ text = "" }) => /^-[a-zA-Z]*x/.test(text))) ||
    (isVerb(/^config$/) && isSetting(rest))
  );
}

// `--u` is `--upload-pack` where no other option begins so; the others in the same way.
const runningOption =
  /^(?:-c.*|--conf.*|--exec-path=.*|--u(?:p(?:l.*)?)?(?:=.*)?|--rece.*|-O.*|--op.*|--ext(?:c.*|-.*)?|ext::.*|-x|--e(?:xe?)?(?:=.*)?|--exec.*|foreach|run|filter-branch)$/s;
const takingPrograms =
  /^(?:archive|bisect|clone|config|diff.*|fetch.*|grep|ls-remote|pull|push|rebase|send-pack|submodule)$/;
const runningVerbs =
  /^(?:difftool|mergetool|instaweb|remote-(?:ext|fd)|send-email|shell|daemon|p4|svn|for-each-repo|web--browse|hook)$/;

// Many settings name a program (`alias.x`, `core.pager`, `diff.x.command`); of these groups none does.
const plainSetting = /^(?:user|color|advice|push|pull|rerere|column|log|status)\./i;
const reading = /^(?:--get.*|-l|--list|get|list|--unset.*|unset|--remove-section|--show-.*|--name-only)$/;

function isSetting(rest: readonly ShellWord[]): boolean {
  const texts = rest.map(({ text }) => text ?? "");
  const keys = texts.filter((text) => /^[a-z][\w-]*\./i.test(text));
  const isAsking = texts.some((text) => reading.test(text)) || texts.at(-1) === keys[0];
  return !isAsking && !(keys.length > 0 && keys.slice(0, 1).every((key) => plainSetting.test(key)));
}
