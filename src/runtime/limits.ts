/** The end of what a task printed that search sees: where it says how it went. */
export const taskTailSearchedBytes: number = 32 * 1024;
