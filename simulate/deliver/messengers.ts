import { type Channel, type Item, type Parcel, type Tried, triedOf } from '../../src/channels/channel.ts';
import type { Channels } from '../../src/channels/channels.ts';
import type { PostResult } from '../../src/net/delivery/delivery-http.ts';

/** A message about one or several deliveries. */
export interface Told {
  readonly parcel: Parcel;
  readonly items: readonly Item[];
  /** Null for a chat. */
  readonly recipient: string | null;
}

export type Tell = (told: Told, signal: AbortSignal) => Promise<PostResult>;

export const emailRecipients = ['ada', 'max'] as const;

/** Channels without formats and protocols: what is tested is what the engine gives them, and what it makes of their results. */
export function messengersOf(tell: Tell): Pick<Channels, 'chat' | 'email' | 'hubspot'> {
  return { chat: chatOf(tell), email: emailOf(tell), hubspot: unused };
}

function chatOf(tell: Tell): Channel {
  return {
    itemsMax: 1,
    atOnceMax: 1,
    async send(parcel, signal) {
      const { items } = parcel;
      const tried = triedOf(await tell({ parcel, items, recipient: null }, signal));
      return items.map(() => tried);
    },
  };
}

/** Each recipient gets a message about what they do not have yet. */
function emailOf(tell: Tell): Channel {
  return {
    itemsMax: 1,
    atOnceMax: 1,
    async send(parcel, signal) {
      const has = new Map(parcel.items.map(({ delivery }) => [delivery.id, new Set(delivery.sentTo)]));
      let last: Tried | null = null;
      let isAnyAccepted = false;
      for (const recipient of emailRecipients) {
        const items = parcel.items.filter(({ delivery }) => !has.get(delivery.id)?.has(recipient));
        if (items.length === 0) continue;
        const tried = triedOf(await tell({ parcel, items, recipient }, signal));
        if (tried.meaning === 'delivered') {
          isAnyAccepted = true;
          for (const { delivery } of items) has.get(delivery.id)?.add(recipient);
        } else last = { ...tried, meaning: 'failed', disables: null };
      }
      return parcel.items.map(({ delivery }): Tried => {
        const sentTo = [...(has.get(delivery.id) ?? [])];
        if (last === null || sentTo.length === emailRecipients.length) return accepted;
        return { ...last, isLeadRefused: isAnyAccepted, sentTo };
      });
    },
  };
}

const accepted = triedOf({ status: 200, retryAfterMs: null, head: null, ms: 1 });

const unused: Channel = {
  itemsMax: 1,
  atOnceMax: 1,
  send: () => {
    throw new Error('no destination has this kind');
  },
};
