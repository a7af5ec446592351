/** An agent type is a page of text; a larger file is something else. */
export const agentTypeBytesMax: number = 256 * 1024;
/** Agent types in one folder: more are a folder that was put there by mistake. */
export const agentTypesMax = 1000;
