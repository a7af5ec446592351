import { holdfastPaths, isSafeName } from "../format/paths.ts";
import type { ProcessIdentity } from "../lib/process-identity.ts";
import { evidenceOf } from "../tasks/notices/evidence.ts";
import { offerNotice, type Offer } from "../tasks/notices/offer.ts";
import { buildBrief, type Brief } from "./brief.ts";
import { noticeMark, type BriefOptions } from "./item-lines.ts";
import { markTold, type ToldPlace } from "./mark-told.ts";
import { ownerFor, stillNews } from "./news.ts";
import type { Recovery } from "./recovery.ts";
import type { RecoveredItem } from "./recovered-item.ts";

export interface Teller extends ToldPlace {
  sessionId: string;
  /** Where the session's client writes down what it was told; without it a text that is out counts as told. */
  transcript?: string | undefined;
}

/** A brief in the hands of this process. One of these is to be called, once it is known what became of the text. */
export interface ToldBrief extends Brief {
  /** It was delivered. */
  confirm(): Promise<void>;
  /** It is out, and this client has it: that it has arrived is seen in the transcript, by whoever looks next. */
  handOver(client: ProcessIdentity): Promise<void>;
  /** It was not delivered. */
  withdraw(): void;
}

/**
 * Makes the text for a session, each ending of which is offered to nobody else meanwhile. Undefined when there is nothing
 * to say.
 */
export function tellBrief(
  recovery: Recovery,
  { listedBy, ...teller }: Teller & Pick<BriefOptions, "listedBy">,
): ToldBrief | undefined {
  const offers = new Map<RecoveredItem, Offer | undefined>();
  // What another one has leaves room for the next, which has to be asked for in turn.
  for (;;) {
    const brief = buildBrief(without(recovery, offers), {
      now: teller.clock.now(),
      sessionId: teller.sessionId,
      listedBy,
      mayRepeat: (item) => offers.get(item)?.mayRepeat === true,
    });
    const asked = brief?.told.filter((item) => !offers.has(item)) ?? [];
    for (const item of asked) offers.set(item, offerTo(teller, item));
    // Somebody may have been told, and have confirmed it, since all this was looked at.
    const news = new Set(stillNews(asked, teller));
    for (const item of asked.filter((each) => !news.has(each))) {
      offers.get(item)?.withdraw();
      offers.set(item, undefined);
    }
    if (asked.some((item) => offers.get(item)?.mayRepeat !== false)) continue;
    const told = new Set(brief?.told);
    for (const [item, offer] of offers) if (!told.has(item)) offer?.withdraw();
    return brief && { ...brief, ...endings(brief.told, { offers, teller }) };
  }
}

function without(recovery: Recovery, offers: ReadonlyMap<RecoveredItem, Offer | undefined>): Recovery {
  const isLeft = (item: RecoveredItem): boolean => !offers.has(item) || offers.get(item) !== undefined;
  return {
    ...recovery,
    finishedUnseen: recovery.finishedUnseen.filter(isLeft),
    lost: recovery.lost.filter(isLeft),
  };
}

function offerTo(teller: Teller, item: RecoveredItem): Offer | undefined {
  const { home, sessionId, clock, transcript } = teller;
  if (!isSafeName(item.id)) return unguarded;
  return offerNotice(holdfastPaths(home).offerPath(item.id), {
    by: sessionId,
    sessionId,
    owner: ownerFor(item, sessionId),
    now: clock.now(),
    evidence: transcript === undefined ? undefined : evidenceOf(transcript, noticeMark(item)),
  });
}

// An id that is no file name is told as it comes.
const unguarded: Offer = { mayRepeat: false, isLast: true, handOver: () => {}, withdraw: () => {} };

function endings(
  told: readonly RecoveredItem[],
  { offers, teller }: { offers: ReadonlyMap<RecoveredItem, Offer | undefined>; teller: Teller },
): Pick<ToldBrief, "confirm" | "handOver" | "withdraw"> {
  const mark = (items: readonly RecoveredItem[]): Promise<void> =>
    markTold(
      items.map((item) => ({ item, by: teller.sessionId })),
      teller,
    );
  return {
    confirm: () => mark(told),
    async handOver(client) {
      const isCertain = (item: RecoveredItem): boolean =>
        teller.transcript === undefined || offers.get(item)?.isLast === true;
      for (const item of told) if (!isCertain(item)) offers.get(item)?.handOver(client);
      await mark(told.filter(isCertain));
    },
    withdraw: () => told.forEach((item) => offers.get(item)?.withdraw()),
  };
}
