import type { DuplicateWork } from "../../../recovery/recovery.ts";
import type { RecoveredItem } from "../../../recovery/recovered-item.ts";
import type { FleetOverview } from "../../../fleet/runs/fleet-overview.ts";
import type { CheckView } from "../../../runtime/views/finding-view.ts";
import type { HitView } from "../../../runtime/views/hit-view.ts";
import type { SuggestionView } from "../../../runtime/views/suggestion-view.ts";
import type { UsageView } from "../../../runtime/views/usage-view.ts";
import type { UsageGrouping } from "../../../usage/usage-grouping.ts";
import type { Done } from "./answers.ts";

/** What is asked of all sessions and tasks together, and of the house itself. */
export interface HouseRoutes {
  "GET /api/search": {
    query: SearchQuery;
    answer: { hits: FoundHit[]; total: number; hasIndex: boolean; tookMs: number };
  };
  "GET /api/usage": {
    query: { by: UsageGrouping; since?: string; until?: string; project?: string };
    answer: UsageView;
  };
  "GET /api/recover": { query: { cwd?: string }; answer: RecoverView };
  "GET /api/fleet": { answer: FleetView };
  "GET /api/doctor": { query: { isFull?: boolean; cwd?: string }; answer: DoctorView };
  "POST /api/doctor/repair": {
    body: Record<string, never>;
    answer: { repaired: RepairView[]; failed: RepairView[] };
  };
  "GET /api/settings": { query: { cwd?: string }; answer: SettingsView };
  /** Null sets it back to its default. */
  "POST /api/settings": { body: { key: string; value: string | null }; answer: SettingsView };
  /** Folders for a path that is being typed. */
  "GET /api/folders": { query: { typed: string }; answer: { folders: string[] } };
  /** For `holdfast open`: a code that lets one browser in, once, within a minute, as `?token=CODE`. */
  "POST /api/enter": { body: Record<string, never>; answer: { code: string } };
  /** Ends every session of this browser: the cookie is no longer taken. */
  "POST /api/leave": { body: Record<string, never>; answer: Done };
}

export interface SearchQuery {
  q: string;
  cwd?: string;
  since?: string;
  role?: HitView["role"];
  tool?: string;
  isRegex?: boolean;
  limit?: number;
}

/** A hit, with the title of the session or the task that it is in. */
export type FoundHit = HitView & { title: string | null };

export interface RecoverView {
  running: RecoverItemView[];
  finishedUnseen: RecoverItemView[];
  lost: RecoverItemView[];
  leftToClient: RecoverItemView[];
  duplicates: DuplicateWork[];
}

/** With what can be done about it, best first. */
export type RecoverItemView = RecoveredItem & { actions: SuggestionView[] };

export type FleetView =
  | { isKnown: false; setUp: SuggestionView }
  | ({ isKnown: true; error?: undefined } & FleetOverview)
  /** The servers do not answer. */
  | { isKnown: true; error: string };

export interface DoctorView {
  status: CheckView["status"];
  checks: (Omit<CheckView, "suggestion"> & { next: SuggestionView | null })[];
  repairs: { path: string; text: string }[];
  checkedAt: string;
}

export interface RepairView {
  path: string;
  text: string;
  error?: string;
}

export interface SettingsView {
  settings: {
    key: string;
    value: unknown;
    text: string;
    description: string;
    /** How it is typed. */
    form: { type: string; choices?: string[] };
    from: { kind: "default" | "variable" | "file" | "project"; name: string | null };
    command: string;
  }[];
  file: string;
}
