/** A process of a running task. */
export interface ProcessView {
  pid: number;
  parent: number;
  name: string;
  command: string;
}

/** The processes of a task that runs on this machine, parents before children. */
export interface ProcessesView {
  /** Null when they run where this machine cannot look. */
  processes: ProcessView[] | null;
}
