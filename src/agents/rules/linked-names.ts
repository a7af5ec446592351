import fs from "node:fs";
import { realPath } from "../../lib/real-path.ts";
import { anything, canMeet, literal, segmentsOf, textOf, type Glob } from "./glob-meet.ts";
import { looksToFollow } from "./limits.ts";

/** How many names of the disk may still be looked at for a command line. */
export interface DiskLooks {
  left: number;
}

/** Where a rooted name with holes leads through the links that are there now: `src/k*` may be a link to `.env`. */
export function linkedNames(name: Glob, looks: DiskLooks): Glob[] {
  return name[0] === "/" ? follow("", segmentsOf(name), looks) : [];
}

function follow(above: string, segments: readonly Glob[], looks: DiskLooks): Glob[] {
  const hole = segments.findIndex((segment) => textOf(segment) === undefined);
  const known = (hole < 0 ? segments : segments.slice(0, hole)).map(textOf);
  const folder = realPath(`/${[above, ...known].join("/")}`);
  const segment = segments[hole];
  if (segment === undefined) return [literal(folder)];
  const rest = segments.slice(hole + 1);
  // A hole that may reach into other folders ends what can be compared.
  const end = segment.indexOf(anything);
  const pattern = end < 0 ? segment : segment.slice(0, end + 1);
  const spelled = segments.slice(hole).flatMap((each) => literal("/").concat(each));
  const names: Glob[] = [[...literal(folder), ...spelled]];
  for (const { name, isFolder, isLink } of entriesOf(folder, { isHidden: segment[0] === "." })) {
    looks.left--;
    if (looks.left < 0) return [[anything]];
    if (!(isLink || (isFolder && end < 0 && rest.length > 0)) || !canMeet(pattern, literal(name))) continue;
    looks.left -= looksToFollow;
    const found = `${folder}/${name}`;
    if (end < 0) names.push(...follow(found, rest, looks));
    else names.push(literal(realPath(found)), [...literal(realPath(found)), "/", anything]);
  }
  return names;
}

interface Entry {
  name: string;
  isFolder: boolean;
  isLink: boolean;
}

// In bash before 5.2 `.*` finds `..`, too.
function entriesOf(folder: string, { isHidden }: { isHidden: boolean }): Entry[] {
  const above: Entry[] = isHidden ? [{ name: "..", isFolder: true, isLink: true }] : [];
  try {
    const entries = fs.readdirSync(folder, { withFileTypes: true });
    return [
      ...above,
      ...entries.map((entry) => ({
        name: entry.name,
        isFolder: entry.isDirectory(),
        isLink: entry.isSymbolicLink(),
      })),
    ];
  } catch {
    return above;
  }
}
