import type { Assignment, Word, WordPart } from "unbash";
import { anything, inName, literal, noDot, oneOfName, type Glob } from "./glob-meet.ts";

/** A word of a command: what the program is given, as far as that is known before it runs. */
export interface ShellWord {
  /** As it is written. */
  source: string;
  /** What it becomes, when nothing in it is expanded. */
  text: string | undefined;
  /** The same with a hole for each thing that is expanded. */
  glob: Glob;
}

export function shellWord(node: Word | Assignment): ShellWord {
  if (node.type === "Assignment") return assignedWord(node);
  const { text: source, value, parts } = node;
  if (!parts) return literalWord(value, source);
  const glob = parts.flatMap((part, index) => tokensOf(part, { isFirst: index === 0 }));
  return { source, text: parts.every(isLiteral) ? value : undefined, glob };
}

/** A word that somebody else's words became, such as a `find` without its `-exec`. */
export function literalWord(text: string, source: string = text): ShellWord {
  return { source, text, glob: literal(text) };
}

/** A word of which nothing is known, or any number of them. */
export const unknownWord: ShellWord = { source: "$unknown", text: undefined, glob: [anything] };

function assignedWord({ text: source, name, value }: Assignment): ShellWord {
  if (value.type === "ArrayValue")
    return { source, text: undefined, glob: [...literal(`${name}=`), anything] };
  const word = shellWord(value);
  const text = word.text === undefined ? undefined : `${name}=${word.text}`;
  return { source, text, glob: [...literal(`${name}=`), ...word.glob] };
}

function isLiteral(part: WordPart): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every(isLiteral);
  return part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted";
}

function tokensOf(part: WordPart, { isFirst }: { isFirst: boolean }): Glob {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return literal(part.value);
    case "DoubleQuoted":
      return part.parts.flatMap((each) => tokensOf(each, { isFirst: false }));
    case "Glob":
      // A `*` at the beginning of a name finds no hidden file; behind a slash it may be one of these, to be safe.
      return [...(isFirst ? ([noDot] as const) : []), part.kind === "star" ? inName : oneOfName];
    case "SimpleExpansion":
      return /^\$[?#$!]$/.test(part.text) ? digits : [anything];
    default:
      return [anything];
  }
}

// What `$?` and the like become is a number, and no name of a file.
const digits: Glob = ["0"];
