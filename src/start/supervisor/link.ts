import type { HostLink } from '../../ingest/siblings/link.ts';

/** One end of the channel between two processes: `process` in a worker, the worker's process in the supervisor. */
export interface Channel {
  readonly connected?: boolean | undefined;
  send?(message: unknown, onSent: (error: Error | null) => void): boolean;
  on(event: 'message', handle: (message: unknown) => void): unknown;
  on(event: 'disconnect', handle: () => void): unknown;
}

type Message =
  | { readonly kind: 'tell'; readonly topic: string; readonly content: unknown }
  | { readonly kind: 'ask'; readonly id: number; readonly topic: string; readonly content: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly content: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly reason: string };

interface Asked {
  readonly resolve: (content: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A question that the other process could not answer. */
class LinkError extends Error {}

export function createLink(channel: Channel): HostLink {
  const tellHandlers = new Map<string, (content: unknown) => void>();
  const askHandlers = new Map<string, (content: unknown) => unknown>();
  const asked = new Map<number, Asked>();
  let lastId = 0;

  const send = (message: Message) => {
    // A message that cannot be sent is lost with the process it was for; 'disconnect' rejects what waits for a reply.
    if (channel.connected === true) channel.send?.({ leadgate: message }, () => {});
  };
  const settle = (id: number, how: (waiting: Asked) => void) => {
    const waiting = asked.get(id);
    asked.delete(id);
    if (waiting !== undefined) how(waiting);
  };
  const respond = async (id: number, topic: string, content: unknown) => {
    try {
      const handle = askHandlers.get(topic);
      if (handle === undefined) throw new Error(`nobody responds to ${topic}`);
      send({ kind: 'reply', id, content: await handle(content) });
    } catch (error) {
      send({ kind: 'failure', id, reason: (error as Error).message });
    }
  };
  const receive = (message: Message) => {
    if (message.kind === 'tell') tellHandlers.get(message.topic)?.(message.content);
    else if (message.kind === 'ask') void respond(message.id, message.topic, message.content);
    else if (message.kind === 'reply') settle(message.id, ({ resolve }) => resolve(message.content));
    else settle(message.id, ({ reject }) => reject(new LinkError(message.reason)));
  };

  channel.on('message', (message) => {
    // node:cluster sends messages of its own.
    const own = (message as { leadgate?: Message } | null)?.leadgate;
    if (own !== undefined) receive(own);
  });
  channel.on('disconnect', () => {
    for (const id of [...asked.keys()])
      settle(id, ({ reject }) => reject(new LinkError('the other process has stopped')));
  });

  return {
    tell: (topic, content) => send({ kind: 'tell', topic, content }),
    ask(topic, content) {
      if (channel.connected !== true) return Promise.reject(new LinkError('the other process has stopped'));
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        asked.set(id, { resolve, reject });
        send({ kind: 'ask', id, topic, content });
      });
    },
    onTell: (topic, handle) => void tellHandlers.set(topic, handle),
    onAsk: (topic, handle) => void askHandlers.set(topic, handle),
  };
}
