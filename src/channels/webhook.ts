import type { Logger } from 'pino';
import { headersOf, payloadOf } from '../domain/destination/request/delivery-request.ts';
import type { PostRequest } from '../net/delivery/delivery-http.ts';
import { type Channel, type Item, type Parcel, type Sender, triedOf, unwritable } from './channel.ts';
import { contentOf } from './content.ts';

/** A signed request for each delivery. */
export function webhookChannel(sender: Sender, log: Logger): Channel {
  return {
    itemsMax: 1,
    atOnceMax: 4,
    async send(parcel, signal) {
      const item = parcel.items[0] as Item;
      let request: Omit<PostRequest, 'signal'>;
      try {
        request = requestOf(parcel, item);
      } catch (err) {
        log.error({ err, delivery_id: item.delivery.id }, 'payload of a delivery cannot be written');
        return [unwritable];
      }
      return [triedOf(await sender.post({ ...request, signal }))];
    },
  };
}

function requestOf({ destination, opened, publicUrl, at }: Parcel, item: Item): Omit<PostRequest, 'signal'> {
  if (destination.kind !== 'webhook') throw new Error('not a webhook');
  const { workspaceId, mapping, config } = destination;
  const content = contentOf(workspaceId, item);
  const payload = payloadOf(content, { format: config.format, mapping }, publicUrl);
  if (payload === null) throw new Error('the event has no lead');
  const { body } = payload;
  return { url: config.url, headers: headersOf(content.event, body, opened, at), body };
}
