import type { EventContent } from '../domain/destination/request/delivery-request.ts';
import type { Item } from './channel.ts';

/** What a delivery is about, as messages and payloads read it. */
export function contentOf(workspaceId: string, { delivery, lead }: Item): EventContent {
  const { eventNumber: number, eventType: type, eventAt: at, eventData: data, submissionId } = delivery;
  return { event: { workspaceId, number, type, at, submissionId }, data, lead };
}

/** Of those deliveries of a digest that it shows. */
export function shownContents(workspaceId: string, items: readonly Item[]): EventContent[] {
  return items.filter(({ isOnlyCounted }) => !isOnlyCounted).map((item) => contentOf(workspaceId, item));
}
