import type { ImagePart } from "../../conversation/rows/entry-parts.ts";
import type { FindQuery } from "../../conversation/rows/find-rows.ts";
import type { WindowQuery } from "../../conversation/rows/read-window.ts";
import type { RowAddress } from "../../conversation/rows/row-address.ts";
import type { RowDigest, RowFound, RowWindow } from "../../conversation/rows/row.ts";
import type { ExportFormat } from "../../conversation/export/export-session.ts";
import type { HealthView } from "../views/finding-view.ts";
import type { ConversationView, ConversationWindow, SessionAgentView } from "../views/conversation-view.ts";
import type { CostView } from "../views/cost-view.ts";
import type { FleetView } from "../views/fleet-view.ts";
import type { HitView } from "../views/hit-view.ts";
import type { RecoveryView } from "../views/recovery-view.ts";
import type { SessionView } from "../views/session-view.ts";
import type {
  FilesView,
  ProjectView,
  ReviewView,
  SessionsView,
  TodosView,
  TrashedView,
  UndoView,
} from "../views/session-views.ts";
import type { UsageView } from "../views/usage-view.ts";
import type { UsageGrouping } from "../../usage/usage-grouping.ts";

/** A session by its whole id; where two projects have it, `project` says which. */
export interface SessionAsked {
  session: string;
  project?: string | undefined;
}

export interface TranscriptAsked extends SessionAsked {
  /** The transcript of this sub-agent. */
  agent?: string | undefined;
}

export interface ConversationAsked extends TranscriptAsked {
  view?: ConversationWindow | undefined;
  leaf?: string | undefined;
}

export interface RowsAsked {
  /** Below which texts and images of rows are. */
  address: RowAddress;
}

export interface SessionsAsked {
  /** A folder: its sessions, and those of the folders inside of it. */
  cwd?: string | undefined;
  /** A project by the name of its folder. */
  project?: string | undefined;
  tag?: string | undefined;
  q?: string | undefined;
  archived?: boolean | undefined;
  from?: number | undefined;
  limit?: number | undefined;
  /** Whether each says how many messages it has, which may mean to read all of it. */
  counts?: boolean | undefined;
}

interface Verb<Asked, Answer> {
  asked: Asked;
  answer: Answer;
}

/** What is asked once and answered once. All of it can be sent between threads. */
export interface AsideVerbs {
  sessions: Verb<SessionsAsked, SessionsView>;
  /** Counts the messages of all sessions, so that the index knows them; says how long it takes from now on. */
  countSessions: Verb<object, { tookMs: number }>;
  /** One session as a list shows it. */
  session: Verb<SessionAsked, SessionView>;
  projects: Verb<object, ProjectView[]>;
  header: Verb<ConversationAsked, ConversationView>;
  rows: Verb<ConversationAsked & RowsAsked & WindowQuery, RowWindow>;
  end: Verb<TranscriptAsked & RowsAsked & { limit?: number | undefined }, RowWindow>;
  /** Rows that are new or were completed since `total` of this generation were known; of another generation, none. */
  changes: Verb<ConversationAsked & RowsAsked & { generation: string; total: number }, RowWindow>;
  digest: Verb<ConversationAsked, RowDigest>;
  text: Verb<TranscriptAsked & PartAsked, string>;
  image: Verb<TranscriptAsked & PartAsked, ImagePart>;
  entry: Verb<TranscriptAsked & { entry: string }, Record<string, unknown>>;
  agents: Verb<SessionAsked, SessionAgentView[]>;
  todos: Verb<SessionAsked, { lists: TodosView[]; problems: string[] }>;
  files: Verb<SessionAsked, FilesView>;
  diff: Verb<
    SessionAsked & { from?: string | undefined; to?: string | undefined; path?: string | undefined },
    ReviewView
  >;
  cost: Verb<TranscriptAsked, CostView>;
  /** The entry that calls a tool; null when there is none. */
  toolUse: Verb<SessionAsked & { toolUseId: string }, { uuid: string } | null>;
  /** What changed in the folder of a task since it began. */
  taskDiff: Verb<{ task: string; path?: string | undefined }, ReviewView>;

  fork: Verb<
    SessionAsked & { at?: string | undefined; title?: string | undefined },
    { session: SessionView; entries: number }
  >;
  rename: Verb<SessionAsked & { title: string }, SessionView>;
  tag: Verb<SessionAsked & { tag: string | null }, SessionView>;
  move: Verb<SessionAsked & { cwd: string }, SessionView>;
  trash: Verb<SessionAsked, TrashedView>;
  archive: Verb<SessionAsked, SessionView>;
  restore: Verb<{ session: string; from: "trash" | "archive" }, SessionView>;
  trashed: Verb<object, TrashedView[]>;
  undo: Verb<SessionAsked & { to?: string | undefined; dryRun: boolean }, UndoView>;

  search: Verb<SearchAsked, FoundView>;
  usage: Verb<UsageAsked, UsageView>;
  recover: Verb<{ cwd?: string | undefined }, RecoveryView>;
  check: Verb<{ isFull?: boolean | undefined; cwd: string }, HealthView>;
  fleet: Verb<object, FleetView>;
  repair: Verb<{ cwd: string }, { repaired: RepairedView[]; failed: RepairedView[] }>;
}

export interface PartAsked {
  entry: string;
  part: number;
}

export interface SearchAsked {
  q: string;
  cwd?: string | undefined;
  since?: string | undefined;
  role?: HitView["role"] | undefined;
  tool?: string | undefined;
  isRegex?: boolean | undefined;
  limit?: number | undefined;
}

export interface FoundView {
  /** With the title of the session that each is in; null for a task. */
  hits: (HitView & { title: string | null })[];
  total: number;
  hasIndex: boolean;
  tookMs: number;
}

export interface UsageAsked {
  by: UsageGrouping;
  since?: string | undefined;
  until?: string | undefined;
  project?: string | undefined;
}

export interface RepairedView {
  path: string;
  text: string;
  error?: string;
}

/** What is answered piece by piece while it is made. */
export interface AsideStreams {
  find: { asked: ConversationAsked & FindQuery; piece: RowFound };
  /**
   * Rows that are new or were completed, each time something was appended, until nobody reads. With another generation, and no
   * rows, when everything before is void; `isGone` is the last of a transcript that was deleted, moved or archived.
   */
  watch: {
    asked: ConversationAsked & RowsAsked & { generation: string; total: number };
    piece: RowWindow | { isGone: true };
  };
  export: {
    asked: SessionAsked & {
      format?: ExportFormat | undefined;
      leaf?: string | undefined;
      withSecrets?: boolean | undefined;
    };
    piece: string;
  };
}
