import path from "node:path";
import type { CommandTree } from "./command-tree.ts";
import { anything, literal, segmentsOf, textOf, type Glob } from "./glob-meet.ts";
import { diskLooksMax, fileNameLengthMax, namedFilesMax, nameSignsMax } from "./limits.ts";
import { linkedNames, type DiskLooks } from "./linked-names.ts";
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

/** From where a command line names files. */
interface Standpoint {
  place: RulePlace;
  /** The folders from which a name may be meant: where the command starts, and where it goes. */
  bases: readonly Glob[];
  looks: DiskLooks;
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
  const standpoint = standpointOf(tree, place);
  return tree.written
    .filter(({ text }) => !isDevice(text))
    .map(({ glob }) => {
      const names = namesOf(glob, standpoint);
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
  const standpoint = standpointOf(tree, place);
  const arguments_ = tree.commands.flatMap(({ words: [name, ...rest] }) =>
    name?.text !== undefined && writers.has(programName(name.text).toLowerCase()) ? rest : [],
  );
  return [...writtenFiles(tree, place), ...arguments_.map((word) => namedByWord(word, standpoint))];
}

/** Every file that a command line may name, anywhere. */
export function namedFiles(tree: CommandTree, place: RulePlace): NamedFile[] {
  if (tree.words.length > namedFilesMax) return [{ names: [[anything]], isKnown: false }];
  const standpoint = standpointOf(tree, place);
  return tree.words.map((word) => namedByWord(word, standpoint));
}

function namedByWord(word: ShellWord, standpoint: Standpoint): NamedFile {
  const names = partsOf(word.glob).flatMap((part) => namesOf(part, standpoint));
  return { names, isKnown: word.text !== undefined && names.every(isLiteral) };
}

function standpointOf({ folders, isRepeating }: CommandTree, place: RulePlace): Standpoint {
  const bases: Glob[] = place.cwds.map(literal);
  const standpoint = { place, bases, looks: { left: diskLooksMax } };
  const isKnown = !isRepeating && folders.length <= 4 && folders.every(({ text }) => text !== undefined);
  if (!isKnown && folders.length > 0) bases.push(unknownWord.glob);
  else for (const { glob } of folders) bases.push(...namesOf(glob, standpoint));
  return standpoint;
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

function namesOf(part: Glob, { bases, place, looks }: Standpoint): Glob[] {
  if (part.length === 0) return [];
  return rootedNames(part, bases, place).flatMap((name) => {
    const names = [normalise(name)];
    const text = textOf(name);
    const magic = text === undefined ? linkedNames(name, looks) : magicNames(text, bases);
    if (text !== undefined) names.push(literal(realPath(text)));
    names.push(...magic, ...(text === undefined || magic.length === 0 ? systemNames(name) : []));
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

// On any other way through such links only the last name is known: `/proc/net/../cwd/.env`, `/dev/fd/3/.env`, `/proc/$x/.env`.
function systemNames(name: Glob): Glob[] {
  const hole = name.findIndex((token) => typeof token !== "string");
  const start = textOf(name.slice(0, hole < 0 ? name.length : hole)) ?? "";
  if (!/^[/.]+(?:proc|dev\/[/.]*fd)(?:\/|$)/.test(start)) return [];
  if (hole < 0 && !/\/(?:cwd|root|\.\.|fd\/+\d+)\//.test(start)) return [];
  return [[anything, "/", ...(segmentsOf(normalise(name)).at(-1) ?? [])]];
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

function isLiteral(glob: Glob): boolean {
  return textOf(glob) !== undefined;
}
