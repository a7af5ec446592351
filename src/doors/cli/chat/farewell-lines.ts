import { terminalLine } from "../../../lib/terminal-text.ts";
import type { Screen } from "../environment.ts";
import { cutEnd } from "../render/cut-text.ts";
import type { Farewell } from "./open-chat.ts";

/** Tasks that are named; more are counted. */
const TASKS_SHOWN = 5;

/** What the person is told who leaves: how to come back, what goes on, and what does not. */
export function farewellLines({ sessionId, running, ended }: Farewell, { columns }: Screen): string[] {
  const shown = running.slice(0, TASKS_SHOWN).map(({ record }) => {
    const { id, name, description } = record;
    return cutEnd(`  ${id}  ${terminalLine(name ?? description)}`, columns);
  });
  const more = running.length - shown.length;
  return [
    ...(sessionId === undefined ? [] : [`Come back: holdfast chat --resume ${sessionId}`]),
    ...(running.length > 0 ? ["Still running (holdfast ps):", ...shown] : []),
    ...(more > 0 ? [`  … ${more} more`] : []),
    ...(ended.length > 0 ? [`Ended with this chat: ${ended.join(", ")}`] : []),
  ];
}
