import { chatBody } from '../domain/destination/message/chat-body.ts';
import { digestOf } from '../domain/destination/message/digest-message.ts';
import { eventMessage } from '../domain/destination/message/event-message.ts';
import { type Channel, type ChannelDeps, type Parcel, unwritable } from './channel.ts';
import { chatResult } from './chat-result.ts';
import { shownContents } from './content.ts';

/** A message at the URL of an incoming webhook, which is the secret of the destination. */
export function chatChannel({ sender, log }: Pick<ChannelDeps, 'sender' | 'log'>): Channel {
  return {
    itemsMax: 1,
    atOnceMax: 1,
    async send(parcel, signal) {
      const { destination, opened, items } = parcel;
      let body: Buffer;
      try {
        body = Buffer.from(bodyOf(parcel));
      } catch (err) {
        log.error({ err, destination_id: destination.id }, 'message for a chat cannot be written');
        return items.map(() => unwritable);
      }
      const [url] = opened.secrets;
      const headers = { 'content-type': 'application/json' };
      const result = chatResult(await sender.post({ url, headers, body, signal }), url);
      // A digest may be about thousands of leads, and each has an attempt in the database.
      return items.map(({ isOnlyCounted }) => (isOnlyCounted ? { ...result, head: null } : result));
    },
  };
}

function bodyOf({ destination, items, isDigest, publicUrl }: Parcel): string {
  if (destination.kind !== 'chat') throw new Error('not a chat');
  const { workspaceId, config } = destination;
  const { service, linkOnly } = config;
  const options = { linkOnly, publicUrl };
  const contents = shownContents(workspaceId, items);
  if (isDigest && items.length > 1)
    return chatBody(service, digestOf(workspaceId, items.length, contents, options));
  const message = contents[0] === undefined ? null : eventMessage(contents[0], options);
  if (message === null) throw new Error('the event has no lead');
  return chatBody(service, message);
}
