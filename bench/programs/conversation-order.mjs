// Both sides return the same messages, but not always in the same order: where a tool's result was written before
// the next block of the message that called it, one reader keeps the order of the file and the other puts all blocks
// of a message first. This brings either into the second form, so that sequences can be compared.

/** @param {Iterable<{uuid: string, message?: {id?: string}}>} messages */
export function uuidsInConversationOrder(messages) {
  /** @type {string[][]} */
  const groups = [];
  const groupOfMessage = new Map();
  for (const { uuid, message } of messages) {
    const group = message?.id === undefined ? undefined : groupOfMessage.get(message.id);
    if (group !== undefined) {
      group.push(uuid);
      continue;
    }
    const started = [uuid];
    groups.push(started);
    if (message?.id !== undefined) groupOfMessage.set(message.id, started);
  }
  return groups.flat();
}
