import path from "node:path";
import type { CommandTree } from "./command-tree.ts";
import { anything, literal, textOf, type Glob } from "./glob-meet.ts";
import { fileNameLengthMax, namedFilesMax, nameSignsMax } from "./limits.ts";
import { fold } from "./path-pattern.ts";
import { realPath } from "../../lib/real-path.ts";
import type { RulePlace } from "./rule-place.ts";
import { unknownWord, type ShellWord } from "./shell-word.ts";
import { programName } from "./unwrap-command.ts";

/** What a word or an argument may name: every path under which a rule may speak of it. */
export interface NamedFile {
  names: Glob[];
  /** It is these files, and no others. */
  isKnown: boolean;
}

/** The file that an argument of a tool names: as it is given, and where it leads. */
export function namedFile(given: string, place: RulePlace, real?: string): NamedFile {
  const file = path.resolve(place.cwd, given);
  const names = new Set([file, real ?? realPath(file)]);
  return { names: [...names].map((name) => literal(fold(name, place))), isKnown: true };
}

// What a shell may write to without anybody losing a file.
const isDevice = (text: string | undefined): boolean =>
  text !== undefined && /^\/dev\/(?:null|stdout|stderr|tty|fd\/[012])$/.test(text);

/** The files that the shell itself writes. */
export function writtenFiles(tree: CommandTree, place: RulePlace): NamedFile[] {
  const { written } = tree;
  const bases = basesOf(tree, place);
  return written
    .filter(({ text }) => !isDevice(text))
    .map(({ glob }) => {
      const names = namesOf(glob, bases, place);
      return { names, isKnown: names.every(isLiteral) };
    });
}

const writers = new Set(
  (
    "chattr chgrp chmod chown cp dd ed ex install ln mkdir mkfifo mknod mv nano nvim patch perl rm rmdir rsync sed shred split " +
    "sponge tee touch truncate unlink unzip vi vim"
  ).split(" "),
);

/** Those, and what is named to programs that are there to change files. */
export function changedFiles(tree: CommandTree, place: RulePlace): NamedFile[] {
  const bases = basesOf(tree, place);
  const arguments_ = tree.commands.flatMap(({ words: [name, ...rest] }) =>
    name?.text !== undefined && writers.has(programName(name.text).toLowerCase()) ? rest : [],
  );
  return [...writtenFiles(tree, place), ...arguments_.map((word) => namedByWord(word, bases, place))];
}

/** Every file that a command line may name, anywhere. */
export function namedFiles(tree: CommandTree, place: RulePlace): NamedFile[] {
  if (tree.words.length > namedFilesMax) return [{ names: [[anything]], isKnown: false }];
  const bases = basesOf(tree, place);
  return tree.words.map((word) => namedByWord(word, bases, place));
}

function namedByWord(word: ShellWord, bases: readonly Glob[], place: RulePlace): NamedFile {
  const names = partsOf(word.glob).flatMap((part) => namesOf(part, bases, place));
  return { names, isKnown: word.text !== undefined && names.every(isLiteral) };
}

// The folders from which a name may be meant: where the command starts, and where it goes.
function basesOf({ folders, isRepeating }: CommandTree, place: RulePlace): Glob[] {
  const start: Glob[] = place.cwds.map(literal);
  if (folders.length === 0) return start;
  const isKnown = !isRepeating && folders.length <= 4 && folders.every(({ text }) => text !== undefined);
  if (!isKnown) return [...start, unknownWord.glob];
  const bases = [...start];
  for (const { glob } of folders) bases.push(...namesOf(glob, bases, place));
  return bases;
}

// A name may stand behind an option or a sign: `--file=.env`, `-f.env`, `@.env`, `HEAD:.env`.
function partsOf(word: Glob): Glob[] {
  const signs = word.flatMap((token, index) =>
    typeof token === "string" && "=:,@".includes(token) ? [index] : [],
  );
  // Longer than any path, or as good as a list: it may name anything.
  if (word.length > fileNameLengthMax || signs.length > nameSignsMax) return [[anything]];
  const starts = [0, ...signs.map((index) => index + 1)];
  if (word[0] === "-" && word[1] !== "-") starts.push(2);
  return starts.flatMap((start): Glob[] => {
    const end = signs.find((index) => index >= start);
    const whole = word.slice(start);
    return end === undefined ? [whole] : [whole, word.slice(start, end)];
  });
}

function namesOf(part: Glob, bases: readonly Glob[], place: RulePlace): Glob[] {
  if (part.length === 0) return [];
  return rootedNames(part, bases, place).flatMap((name) => {
    const names = [normalise(name)];
    const text = textOf(name);
    if (text !== undefined) names.push(literal(realPath(text)), ...magicNames(text, bases));
    return names.map((each) => each.map((token) => (typeof token === "string" ? fold(token, place) : token)));
  });
}

function rootedNames(part: Glob, bases: readonly Glob[], { userHomes }: RulePlace): Glob[] {
  if (part[0] === "/") return [part];
  const inFolders = bases.map((base): Glob => [...base, "/", ...part]);
  // What begins with a hole may be absolute.
  if (typeof part[0] !== "string") return part[0] === anything ? [part] : inFolders;
  if (part[0] !== "~") return inFolders;
  if (part.length === 1 || part[1] === "/")
    return [...inFolders, ...userHomes.map((home): Glob => [...literal(home), ...part.slice(1)])];
  return [...inFolders, [anything, ...part.slice(1)]];
}

// Links of the system that are different in every process: in the command's they lead to its own folder.
function magicNames(given: string, bases: readonly Glob[]): Glob[] {
  const text = given.replace(/^(?:\/+proc\/+(?:self|thread-self|\d+)(?:\/+task\/+\d+)?\/+root)+(?=\/)/, "");
  const [inFolder, rest = ""] =
    /^\/+proc\/+(?:self|thread-self|\d+)(?:\/+task\/+\d+)?\/+cwd(\/.*)?$/.exec(text) ?? [];
  if (inFolder === undefined) return text === given ? [] : [normalise(literal(text))];
  return bases.map((base) => normalise([...base, ...literal(rest)]));
}

// Without `.`, `..` and empty names. What `..` leaves cannot be said when it has a hole.
function normalise(name: Glob): Glob {
  const isRooted = name[0] === "/";
  let kept: Glob[] = [];
  let isLost = false;
  for (const segment of segmentsOf(name)) {
    const text = textOf(segment);
    if (text === "" || text === ".") continue;
    if (text !== "..") kept.push(segment);
    else if (isRooted && !isLost && kept.every(isLiteral)) kept.pop();
    else {
      kept = [];
      isLost = true;
    }
  }
  const joined: Glob = kept.flatMap((segment) => literal("/").concat(segment));
  if (isLost) return [anything, ...joined];
  return isRooted ? joined : joined.slice(1);
}

function segmentsOf(name: Glob): Glob[] {
  const segments: Glob[] = [];
  let from = 0;
  for (const [index, token] of [...name, "/"].entries()) {
    if (token !== "/") continue;
    segments.push(name.slice(from, index));
    from = index + 1;
  }
  return segments;
}

function isLiteral(glob: Glob): boolean {
  return textOf(glob) !== undefined;
}
