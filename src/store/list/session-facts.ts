import fs from "node:fs";
import { lineBytesMax } from "../../format/limits.ts";
import { scanLines } from "../../lib/line-scanner.ts";
import { FactGatherer, type StatedCounts, type StatedFacts } from "./fact-gatherer.ts";
import { coverageOf, type FileCoverage } from "../index/file-coverage.ts";

/** What a list shows of a session, gathered in one pass over its file and carried on when the file grew. */
export interface SessionFacts extends StatedFacts, StatedCounts {}

export interface GatheredFacts {
  facts: SessionFacts;
  coverage: FileCoverage;
}

/** Counts and titles of a transcript, going on from the facts of its first `to` bytes. */
export function gatherFacts(fd: number, known?: { facts: SessionFacts; to: number }): GatheredFacts {
  const stat = fs.fstatSync(fd);
  const { messageCount, inlineAgents, ...stated } = known?.facts ?? { messageCount: 0, inlineAgents: 0 };
  const gatherer = new FactGatherer(stated, { messageCount, inlineAgents });
  let covered = known?.to ?? 0;
  const range = { from: covered, to: stat.size, lineBytesMax };
  scanLines(fd, range, (bytes, start, end, position) => {
    const isEntry = !position.oversized && gatherer.visit(bytes, start, end);
    // A last line without a newline that is no entry may still grow: it is counted by whoever reads it whole.
    if (position.terminated || isEntry)
      covered = position.offset + position.length + (position.terminated ? 1 : 0);
  });
  const facts = { ...gatherer.facts, ...gatherer.counts };
  return { facts, coverage: coverageOf(fd, { to: covered, stat }) };
}
