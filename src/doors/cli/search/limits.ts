/** Having looked through more than this, a search says that an index would help. */
export const scanHintBytesMin: number = 100 * 1024 * 1024;
