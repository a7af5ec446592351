import type { DuplicateWork } from "../../../recovery/recovery.ts";
import type { RecoveredItem } from "../../../recovery/recovered-item.ts";
import type { FleetView } from "../../../runtime/views/fleet-view.ts";
import type { CheckView } from "../../../runtime/views/finding-view.ts";
import type { FoundView, RepairedView } from "../../../runtime/aside/verbs.ts";
import type { HitView } from "../../../runtime/views/hit-view.ts";
import type { SettingView } from "../../../runtime/views/settings-view.ts";
import type { SuggestionView } from "../../../runtime/views/suggestion-view.ts";
import type { UsageView } from "../../../runtime/views/usage-view.ts";
import type { UsageGrouping } from "../../../usage/usage-grouping.ts";
import type { Done } from "./answers.ts";

/** What is asked of all sessions and tasks together, and of the house itself. */
export interface HouseRoutes {
  "GET /api/search": {
    query: SearchQuery;
    answer: FoundView;
  };
  "GET /api/usage": {
    query: { by: UsageGrouping; since?: string; until?: string; project?: string };
    answer: UsageView;
  };
  "GET /api/recover": { query: { cwd?: string }; answer: RecoverView };
  "GET /api/fleet": { answer: FleetAnswer };
  "GET /api/doctor": { query: { isFull?: boolean; cwd?: string }; answer: DoctorView };
  "POST /api/doctor/repair": {
    body: Record<string, never>;
    answer: { repaired: RepairedView[]; failed: RepairedView[] };
  };
  "GET /api/settings": { query: { cwd?: string }; answer: SettingsView };
  /** Null sets it back to its default. */
  "POST /api/settings": { body: { key: string; value: string | null }; answer: SettingsView };
  /** Folders for a path that is being typed. */
  "GET /api/folders": { query: { typed: string }; answer: { folders: string[] } };
  /** This interface, as OpenAPI 3.1. */
  "GET /api/openapi.json": { answer: Record<string, unknown> };
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

export interface RecoverView {
  running: RecoverItemView[];
  finishedUnseen: RecoverItemView[];
  lost: RecoverItemView[];
  leftToClient: RecoverItemView[];
  duplicates: DuplicateWork[];
}

/** With what can be done about it, best first. */
export type RecoverItemView = RecoveredItem & { actions: SuggestionView[] };

/** Where none is known, how one is set up. */
export type FleetAnswer = Exclude<FleetView, { isKnown: false }> | { isKnown: false; setUp: SuggestionView };

export interface DoctorView {
  status: CheckView["status"];
  checks: (Omit<CheckView, "suggestion"> & { next: SuggestionView | null })[];
  repairs: { path: string; text: string }[];
  checkedAt: string;
}

export interface SettingsView {
  /** Each with the command line that changes it. */
  settings: (SettingView & { command: string })[];
  file: string;
}
