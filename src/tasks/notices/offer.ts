import fs from "node:fs";
import path from "node:path";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { codeOf } from "../../lib/errors.ts";
import { acquireLease, readLease, type LeaseHolder } from "../../lib/lease.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { livenessOf, type ProcessIdentity } from "../../lib/process-identity.ts";
import { noticeOfferMs, noticeOffersMax } from "../limits.ts";
import { lookForText, type Evidence } from "./evidence.ts";
import { isStandIn } from "./who-is-told.ts";

/** Who asks for a notice. */
export interface OfferReader {
  /** A session, a person's login, a process. Without one, somebody who only looks. */
  by?: string | undefined;
  /** The session that it reads for. */
  sessionId?: string | undefined;
  /** The session that the notice belongs to. */
  owner?: string | undefined;
  now: Date;
}

export interface OfferTaker extends OfferReader {
  by: string;
  /** Where it will show that the notice has arrived. */
  evidence?: Evidence | undefined;
}

/** A notice in the hands of one reader, who has still to deliver it. */
export interface Offer {
  /** Somebody had it before and never confirmed it: what is told now may be told a second time. */
  mayRepeat: boolean;
  /** So many readers had it without a sign of its arrival that a written text has to do. */
  isLast: boolean;
  /** The text is out, and another process has to bring it on. Until then this one has the notice. */
  handOver(to: ProcessIdentity): void;
  /** It was not delivered: the next reader gets it at once. */
  withdraw(): void;
}

/** Said with a notice that was given to somebody before, of which nothing shows that it arrived. */
export const repetitionText =
  "This may be a repetition: it was told before, and nothing shows that it arrived.";

interface OfferFile extends LeaseHolder {
  by: string;
  /** When it may be offered to others, though its holder lives. */
  until: string;
  /** How many readers have had it. */
  times: number;
  /** Of how many before this one nothing tells whether it arrived. */
  unsure?: number;
  standIn?: true;
  evidence?: Evidence;
}

/**
 * `free`: it may be offered. `held`: somebody is telling it. `arrived`: it was told, as its evidence shows, and nobody has
 * confirmed it yet.
 */
export type OfferState = { status: "free" | "held" } | { status: "arrived"; by: string };

/** Looks at the evidence first: what has arrived is never offered again. */
export function stateOfOffer(file: string, reader: OfferReader): OfferState {
  const offer = readLease(file);
  return offer ? judge(offer, reader) : { status: "free" };
}

/** Offers a notice to one reader; undefined when another one has it. Not synced: see the lease. */
export function offerNotice(file: string, reader: OfferTaker): Offer | undefined {
  const { by, sessionId, owner, now, evidence } = reader;
  const standIn = isStandIn(owner, sessionId) && { standIn: true };
  ensurePrivateDir(path.dirname(file));
  const until = new Date(now.getTime() + noticeOfferMs).toISOString();
  try {
    const lease = acquireLease(file, {
      subject: path.basename(file),
      isFree: (holder) => judge(holder, reader).status === "free",
      note: (before) => ({ by, until, ...readersBefore(before, reader), ...standIn, evidence }),
    });
    const { times, unsure = 0 } = lease.holder as OfferFile;
    return {
      mayRepeat: times > 1,
      isLast: unsure + 1 >= noticeOffersMax,
      handOver(to) {
        const handed = { ...lease.holder, ...to };
        if (readLease(file)?.token === lease.holder.token)
          writeFileAtomic(file, `${JSON.stringify(handed)}\n`, { isDurable: false });
      },
      withdraw: () => lease.release(),
    };
  } catch (error) {
    if (codeOf(error) === "conflict") return undefined;
    throw error;
  }
}

function judge(holder: LeaseHolder, reader: OfferReader): OfferState {
  const { evidence, until, by } = holder as Partial<OfferFile>;
  // Damaged: nobody knows who has it.
  if (until === undefined || by === undefined) return { status: "free" };
  if (isOwnersRight(holder, reader)) return { status: "free" };
  const found = evidence && lookForText(evidence, until);
  if (found === "arrived") return { status: "arrived", by };
  const liveness = livenessOf(holder);
  if (liveness === "dead") return { status: "free" };
  // Its own session may be about to send it with the next prompt, however late that comes.
  const isPending = liveness === "alive" && by === reader.by && found !== "passed";
  return { status: reader.now.toISOString() >= until && !isPending ? "free" : "held" };
}

// An owner who comes back is told whatever another session is told in its stead.
function isOwnersRight(holder: LeaseHolder, { owner, sessionId }: OfferReader): boolean {
  return (holder as Partial<OfferFile>).standIn === true && owner !== undefined && owner === sessionId;
}

// What a stand-in was told is no repetition to the owner.
function readersBefore(
  before: LeaseHolder | undefined,
  reader: OfferReader,
): Pick<OfferFile, "times" | "unsure"> {
  if (!before || isOwnersRight(before, reader)) return { times: 1, unsure: 0 };
  const { times = 1, unsure = times - 1 } = before as Partial<OfferFile>;
  return { times: times + 1, unsure: unsure + (hasNotArrived(before) ? 0 : 1) };
}

// Its reader died, and the transcript that the reader kept does not have it.
function hasNotArrived(holder: LeaseHolder): boolean {
  const { evidence, until } = holder as Partial<OfferFile>;
  if (!evidence || until === undefined || !fs.existsSync(evidence.transcript)) return false;
  return livenessOf(holder) === "dead" && lookForText(evidence, until) !== "arrived";
}
