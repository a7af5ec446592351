/** Characters of a command line that is read; a longer one is asked about. */
export const commandLengthMax = 200_000;

/** How deep commands may stand in commands (`sh -c "env sh -c …"`) before they are asked about. */
export const nestedCommandsMax = 20;

/** Characters of a word that can name a file: no system opens a longer path. */
export const fileNameLengthMax = 4096;

/** Signs in a word behind which a name may begin (`--file=x`); with more it may name anything. */
export const nameSignsMax = 16;

/** Words of a command line that are looked at one by one, so that no line holds up the host. */
export const namedFilesMax = 2000;

/** Names in folders that are compared with the globs of a command line; with more a glob may name anything. */
export const diskLooksMax = 20_000;

/** As how many of them a name counts that fits, and is followed. */
export const looksToFollow = 20;
