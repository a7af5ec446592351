import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { currentProcess } from "../../lib/process-identity.ts";
import { noticeOfferMs, noticeOffersMax } from "../limits.ts";
import { evidenceOf } from "./evidence.ts";
import { offerNotice, stateOfOffer, type OfferTaker } from "./offer.ts";

const begun = new Date("2026-11-18T12:00:00.000Z");
const later = new Date(begun.getTime() + noticeOfferMs);
const gone = { ...currentProcess(), startTime: "1" };

interface World {
  file: string;
  transcript: string;
  taker: (more?: Partial<OfferTaker>) => OfferTaker;
  write: (line: object) => void;
}

function world(): World {
  const dir = tempDir();
  const transcript = path.join(dir, "s-1.jsonl");
  fs.writeFileSync(transcript, '{"content":"notice n-b1, in the past"}\n');
  const evidence = evidenceOf(transcript, "notice n-b1");
  return {
    file: path.join(dir, "offers", "b1"),
    transcript,
    taker: (more) => ({ by: "s-1", sessionId: "s-1", owner: "s-1", now: begun, evidence, ...more }),
    write: (line) => fs.appendFileSync(transcript, `${JSON.stringify(line)}\n`),
  };
}

describe("an offer", () => {
  test("is one reader's until he gives it back, and is then no repetition", () => {
    const { file, taker } = world();
    const first = offerNotice(file, taker());
    expect(first).toMatchObject({ mayRepeat: false, isLast: false });
    expect(offerNotice(file, taker({ by: "me" }))).toBeUndefined();
    expect(stateOfOffer(file, { now: begun })).toEqual({ status: "held" });
    first!.withdraw();
    expect(offerNotice(file, taker())).toMatchObject({ mayRepeat: false });
  });

  test("is the next one's at once when its reader is dead, and says that it may be a repetition", () => {
    const { file, taker, transcript } = world();
    fs.rmSync(transcript);
    for (let times = 1; times <= noticeOffersMax; times++) {
      const offer = offerNotice(file, taker());
      expect(offer).toMatchObject({ mayRepeat: times > 1, isLast: times === noticeOffersMax });
      offer!.handOver(gone);
    }
  });

  test("is offered until it arrives when the transcripts of those who died do not have it", () => {
    const { file, taker } = world();
    for (let times = 1; times <= 3 * noticeOffersMax; times++) {
      const offer = offerNotice(file, taker());
      expect(offer).toMatchObject({ mayRepeat: times > 1, isLast: false });
      offer!.handOver(gone);
    }
  });

  test("has arrived when the transcript holds its text behind what it held before, whoever is dead", () => {
    const { file, taker, write } = world();
    offerNotice(file, taker())!.handOver(gone);
    expect(stateOfOffer(file, { now: begun })).toEqual({ status: "free" });
    write({ content: "… notice n-b1; …" });
    expect(stateOfOffer(file, { now: begun })).toEqual({ status: "arrived", by: "s-1" });
    expect(offerNotice(file, taker({ by: "me" }))).toBeUndefined();
  });

  test("is looked for in all of a transcript that was written anew", () => {
    const { file, taker, transcript } = world();
    offerNotice(file, taker());
    fs.writeFileSync(transcript, "notice n-b1\n");
    expect(stateOfOffer(file, { now: begun }).status).toBe("arrived");
  });

  test("is anybody's when its time is over, but its own session's only when a later answer shows that it never came", () => {
    const { file, taker, write } = world();
    offerNotice(file, taker());
    const own = { by: "s-1", sessionId: "s-1", owner: "s-1", now: later };
    expect(stateOfOffer(file, { now: later }).status).toBe("free");
    write({ type: "assistant", timestamp: begun.toISOString() });
    expect(stateOfOffer(file, own).status).toBe("held");
    write({ type: "assistant", timestamp: new Date(later.getTime() + 1).toISOString() });
    expect(stateOfOffer(file, own).status).toBe("free");
  });

  test("to a session in the stead of the owner does not keep it from the owner, who is told nothing twice", () => {
    const { file, taker, write } = world();
    offerNotice(file, taker({ by: "s-2", sessionId: "s-2" }));
    write({ content: "notice n-b1" });
    expect(offerNotice(file, taker({ by: "s-3", sessionId: "s-3" }))).toBeUndefined();
    expect(offerNotice(file, taker())).toMatchObject({ mayRepeat: false });
  });

  test.each(["", "{}", "null", '{"by":"x"}'])("that is damaged is nobody's: %j", (content) => {
    const { file, taker } = world();
    fs.mkdirSync(path.dirname(file));
    fs.writeFileSync(file, content);
    expect(stateOfOffer(file, { now: begun }).status).toBe("free");
    expect(offerNotice(file, taker())).toBeDefined();
  });
});
