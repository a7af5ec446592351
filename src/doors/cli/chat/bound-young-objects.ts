import v8 from "node:v8";
import { youngObjectsBytesMax } from "./limits.ts";

/**
 * Stops the room for young objects from growing once it is large enough. V8 would let it grow to 128 MB in a chat of some hours,
 * of which about 15 MB live (bench `growth`). To be called now and then.
 */
export function boundYoungObjects(): void {
  const room = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  if (room && room.space_size >= youngObjectsBytesMax) v8.setFlagsFromString("--semi-space-growth-factor=1");
}
