import { automaticDigests } from '../../src/domain/destination/kind/digest.ts';
import { secondMs } from '../../src/time/clock.ts';
import type { DeliveryRow } from '../database/deliver/deliver-rows.ts';
import type { Finding } from '../finding.ts';
import type { World } from '../world.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import { destinationId } from './destinations.ts';
import { wasDisturbed } from './disturbed.ts';
import { emailRecipients } from './messengers.ts';
import type { Sent } from './receivers.ts';

/** An outcome is written within this time, unless something fails. */
const writtenMs = 5 * secondMs;

/**
 * What people get: each lead is in a message to each of them, and in no second one unless something failed after the first
 * was accepted.
 */
export function checkMessages(world: World, delivery: DeliveryWorld): Finding[] {
  const findings: Finding[] = [];
  const find = (kind: Finding['kind'], text: string) => findings.push({ kind, text });
  const sent = delivery.receivers.requests.filter(({ deliveryId }) => deliveryId !== null);
  const byDelivery = Map.groupBy(sent, ({ deliveryId }) => deliveryId);
  for (const [number, { kind }] of delivery.plan.destinations.entries()) {
    if (kind === 'webhook') continue;
    const id = destinationId(number);
    const recipients = kind === 'email' ? emailRecipients : [null];
    for (const row of world.server.tables.deliver.deliveries.values())
      if (row.destinationId === id)
        for (const recipient of recipients) judge(row, recipient, byDelivery.get(row.id) ?? []);
    if (kind === 'chat') judgeCrowd(number);
  }
  return findings;

  function judge({ id, state, event }: DeliveryRow, recipient: string | null, all: readonly Sent[]): void {
    const name = `${event.type} ${event.submissionId} (delivery ${id}) to ${recipient ?? 'the chat'}`;
    const had = all.filter((one) => one.recipient === recipient && isAccepted(one));
    if (state === 'delivered' && had.length === 0) find('unsent', `${name} is in no message`);
    const messages = new Set(had.map(({ message }) => message));
    if (messages.size < had.length) find('doubled', `${name} is in one message twice`);
    const [first] = had;
    if (messages.size > 1 && first?.isTold && !isExcused(first.toldMs))
      find('doubled', `${name} is in ${messages.size} messages`);
  }

  /**
   * A chat gets no more messages than people can read; what is beyond them is in one. Nobody knows of those that it accepted
   * without a response.
   */
  function judgeCrowd(number: number): void {
    const { leads = 0, periodMs = 0 } = automaticDigests.chat ?? {};
    const seen = new Set<number>();
    const single = sent.filter(({ destination, isDigest, message, ...one }) => {
      const isFirst = !seen.has(message);
      seen.add(message);
      return destination === number && !isDigest && isFirst && one.isTold && isAccepted(one);
    });
    for (const [i, { sentMs }] of single.entries()) {
      const next = single[i + leads];
      const isClose = next !== undefined && next.sentMs - sentMs < periodMs - writtenMs;
      if (isClose && !single.slice(i, i + leads).some(({ toldMs }) => isExcused(toldMs)))
        find('crowded', `destination ${number} gets more than ${leads} messages from ${sentMs}`);
    }
  }

  function isExcused(toldMs: number): boolean {
    return wasDisturbed(world, delivery, toldMs, writtenMs);
  }
}

function isAccepted({ status }: Pick<Sent, 'status'>): boolean {
  return status !== null && status < 300;
}
