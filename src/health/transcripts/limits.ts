/** How long sessions are examined unless all are asked for; the rest is said to be unexamined. */
export const examineTimeMsMax = 60_000;
/** Defects remembered of one transcript; a file that is damaged throughout is known to be so by then. */
export const defectsKeptMax = 200;
