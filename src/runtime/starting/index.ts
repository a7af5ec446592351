/**
 * Owns what is done before a task is started for somebody: which agent the settings allow, a worktree of its own, what a start
 * box offers, the tasks of the demo. Never starts anything by itself: tasks, agents and the fleet do.
 */
export type { Starting } from "./open-starting.ts";
