import type * as unbash from "unbash";
import type { Command, HereDoc, HereString, ParsedScript, Redirect, SyntaxNode } from "unbash";
import { commandLengthMax, nestedCommandsMax } from "./limits.ts";
import type { CommandInput, CommandReader, CommandTree } from "./command-tree.ts";
import { shellWord, type ShellWord } from "./shell-word.ts";
import { unwrap } from "./unwrap-command.ts";
import { runningVariables } from "./wrapper-options.ts";

type Unbash = Pick<typeof unbash, "parse" | "forEachChild">;

/** Reads a command line as bash does, with all that is nested in it. The parser is loaded by the first one. */
export async function readCommand(command: string): Promise<CommandTree> {
  const reader = new TreeReader(await import("unbash"));
  try {
    return reader.read(command);
  } catch {
    // Nested deeper than the parser can go: what it found so far is not all.
    return { ...reader.tree, isBroken: true };
  }
}

/** Reads one command line; nested scripts are read into the same tree. */
class TreeReader implements CommandReader {
  readonly tree: CommandTree = {
    isBroken: false,
    isHiding: false,
    commands: [],
    assigned: [],
    words: [],
    written: [],
    folders: [],
    isRepeating: false,
  };
  readonly #unbash: Unbash;
  #depth = 0;

  constructor(unbash: Unbash) {
    this.#unbash = unbash;
  }

  read(script: string): CommandTree {
    // A NUL ends the line for the system, and no byte order mark is a space for bash.
    if (script.length > commandLengthMax || script.includes("\0") || this.#depth >= nestedCommandsMax)
      this.tree.isBroken = true;
    else {
      this.#depth++;
      this.#visit(this.#unbash.parse(script), script);
      this.#depth--;
    }
    return this.tree;
  }

  take(words: readonly ShellWord[], input?: CommandInput): void {
    if (this.#depth >= nestedCommandsMax) {
      this.tree.isBroken = true;
      return;
    }
    this.#depth++;
    const isPassedOver = unwrap(words, { reader: this, input });
    this.tree.commands.push({ words, isPassedOver });
    this.#depth--;
  }

  readonly hide = (): void => {
    this.tree.isHiding = true;
  };

  assign(name: string): void {
    this.tree.assigned.push(name);
    if (runningVariables.test(name)) this.hide();
  }

  #visit(node: SyntaxNode, source: string): void {
    switch (node.type) {
      case "Script":
        return this.#visitScript(node, source);
      case "Command":
        this.#visitCommand(node, source);
        break;
      case "Assignment":
        this.assign(node.name);
        if (node.index && !/^\d+$/.test(node.index.text)) this.hide();
        break;
      case "For":
      case "Select":
        this.assign(node.name.value);
        this.tree.isRepeating = true;
        break;
      case "While":
      case "Function":
        this.tree.isRepeating = true;
        break;
      case "Word":
        if (!node.parts && hasMore(node.text, /[`$\s"'<>|&;()]/)) this.tree.isBroken = true;
        this.tree.words.push(shellWord(node));
        break;
      case "Literal":
        if (hasMore(node.text, /`|\$[\w({]/)) this.tree.isBroken = true;
        break;
      case "Redirect":
        this.#visitRedirect(node);
        break;
      case "ParameterExpansion":
        // `${x:=y}`, whether or not it is set already.
        if (node.operation?.type === "Default" && node.operation.operator.endsWith("="))
          this.assign(node.parameter);
        if (mayEvaluate(node)) this.hide();
        break;
      default:
        if (mayEvaluate(node)) this.hide();
    }
    this.#unbash.forEachChild(node, (child) => this.#visit(child, source));
  }

  // A script in backquotes is a text of its own.
  #visitScript(script: ParsedScript, source: string): void {
    if (script.errors?.length) this.tree.isBroken = true;
    this.#unbash.forEachChild(script, (child) => this.#visit(child, script.source ?? source));
  }

  #visitCommand({ name, args, redirects, end }: Command, source: string): void {
    // The parser passes over a parenthesis behind the first word of a command; bash does not.
    if (/^(?:[ \t]|\\\n)*\(/.test(source.slice(end, end + 200))) this.tree.isBroken = true;
    if (!name) return;
    this.take([name, ...args].map(shellWord), inputOf(redirects));
  }

  #visitRedirect({ operator, target }: Redirect): void {
    if (!target) return;
    const isDescriptor = /^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(target.value);
    if (!isDescriptor && operator !== "<") this.tree.written.push(shellWord(target));
  }
}

function inputOf(redirects: readonly (Redirect | HereString | HereDoc)[]): CommandInput | undefined {
  const given = redirects.findLast((each) => each.operator.startsWith("<") && !each.descriptor);
  if (!given) return undefined;
  if (given.type === "HereString") return { script: given.target && shellWord(given.target).text };
  if (given.type === "Redirect") return { script: undefined };
  const isPlain = given.delimiter?.quoted === true || !/[$`\\]/.test(given.body.text);
  return { script: isPlain ? given.body.text : undefined };
}

// The parser has taken for plain text what bash does not: `f[a b]$(rm x)` at the beginning of a command is one word to both, but
// bash expands it.
function hasMore(text: string, signs: RegExp): boolean {
  return signs.test(text.replace(/\\[^]/g, ""));
}

// Arithmetic evaluates what variables hold, and with it the commands in their subscripts; so do the subscript of an array, an
// indirect name, a prompt (`@P`), and some tests.
function mayEvaluate(node: SyntaxNode): boolean {
  switch (node.type) {
    case "ArithmeticWord":
      return !/^\s*\d*\s*$/.test(node.value);
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
      return node.expression === undefined;
    case "ParameterExpansion":
      return node.prefix === "!" || (node.index !== undefined && !/^(?:\d+|[@*])$/.test(node.index.text));
    case "Slice":
      return (
        !/^\s*-?\d+$/.test(node.offset.text) || (node.length && !/^\s*-?\d+$/.test(node.length.text)) === true
      );
    case "Transform":
      return node.operand.text === "P";
    case "Unknown":
    case "ArithmeticFor":
    case "ArithmeticCommandExpansion":
      return true;
    case "TestUnary":
      return node.operator === "-v" || node.operator === "-R";
    case "TestBinary":
      return /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator);
    default:
      return false;
  }
}
