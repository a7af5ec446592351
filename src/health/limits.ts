/** Trash, undo copies and backups of repairs are kept this long: nobody looks for something older there. */
export const keptItemAgeMsMax: number = 30 * 24 * 60 * 60 * 1000;
/** And take no more than this together. */
export const keptItemsBytesMax: number = 16 * 1024 * 1024 * 1024;
