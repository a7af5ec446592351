/** Files of a workspace: beyond this it is no checkout but somebody's home. */
export const bundleFilesMax = 200_000;
/** Links of a workspace that may have some: each one's target is asked of git by itself. */
export const bundleLinksMax = 1000;
/** Time for one git command on a workspace; a large history takes minutes on a slow disk. */
export const gitTimeoutMs: number = 10 * 60 * 1000;
