import type { ShellWord } from "./shell-word.ts";

/** A program and its arguments, wherever in a command line it stands. */
export interface SimpleCommand {
  words: readonly ShellWord[];
  /** Only starts another one, which is in the list, too; a rule need not allow it. */
  isPassedOver?: boolean;
}

/** What a command line does, as far as that can be read from it. */
export interface CommandTree {
  /** It cannot be read, or a part of it cannot. */
  isBroken: boolean;
  /** It may run commands that are not in the list. */
  isHiding: boolean;
  commands: SimpleCommand[];
  /** Variables that are set, for a command or for all. */
  assigned: string[];
  /** Every word that may name a file. */
  words: ShellWord[];
  /** Files that are opened for writing by the shell itself. */
  written: ShellWord[];
  /** Folders that it goes to. */
  folders: ShellWord[];
  /** Parts of it may run more than once. */
  isRepeating: boolean;
}

/** What a shell is told to run by its input. */
export interface CommandInput {
  /** Undefined when it comes from elsewhere. */
  script: string | undefined;
}

/** Reads commands into a tree; given to what finds commands in the words of others. */
export interface CommandReader {
  tree: CommandTree;
  /** A text that a shell is to run. */
  read(script: string): CommandTree;
  /** A command that stands in the words of another one. */
  take(words: readonly ShellWord[]): void;
  /** That a variable is set. */
  assign(name: string): void;
  /** There may be commands that nobody can see. */
  hide(): void;
}
