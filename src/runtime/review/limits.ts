/** Files of one difference of a folder: each takes some milliseconds of git. */
export const reviewedFilesMax = 300;
/** A new file that is larger is only named. */
export const untrackedBytesMax: number = 1024 * 1024;
