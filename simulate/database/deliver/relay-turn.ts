import type { Subscription } from '../../../src/db/deliver/subscriptions.ts';
import type { NewEvent } from '../../../src/db/relay/lead-events.ts';
import { alarmDataFor, isAlarmEvent } from '../../../src/domain/destination/alarm/alarm-event.ts';
import { mayMatch } from '../../../src/domain/destination/filter.ts';
import { secondMs } from '../../../src/time/clock.ts';
import type { OutboxRow, Tables } from '../tables.ts';
import type { LeadRow } from '../workspace-rows.ts';
import { factsOf, leadOf } from './deliver-model.ts';
import { type DeliveryRow, type DueWake, leadName, untried } from './deliver-rows.ts';

interface Happened {
  readonly note: OutboxRow;
  readonly event: Omit<NewEvent, 'number'>;
  /** As it was when the notes were taken. */
  readonly lead: LeadRow | null;
}

export interface CommitTime {
  readonly now: number;
  readonly newId: () => string;
}

const notesMax = 20;

/**
 * The transaction of src/relay/turn.ts, in the two steps between which others can commit: it takes notes and reads their
 * leads, and later commits. The rows that it takes stay locked in between.
 */
export class RelayTurn {
  readonly #tables: Tables;
  readonly #isOfNode: (shard: number) => boolean;
  #notes: OutboxRow[] = [];
  #happened: Happened[] = [];
  #numbered: (Happened & { readonly event: NewEvent })[] = [];
  #subscriptions: Subscription[] = [];

  constructor(tables: Tables, isOfNode: (shard: number) => boolean) {
    this.#tables = tables;
    this.#isOfNode = isOfNode;
  }

  /** How many notes it has. */
  take(): number {
    const { outbox, deliver } = this.#tables;
    const isAccepted = ({ type }: OutboxRow) => type === 'lead.accepted';
    const ours = outbox.filter(({ shards }) => this.#isOfNode(shards[0] as number));
    this.#notes = [...ours.filter(isAccepted), ...ours.filter((note) => !isAccepted(note))].slice(
      0,
      notesMax,
    );
    this.#happened = this.#notes
      .flatMap((note) => this.#happenedIn(note))
      .toSorted((a, b) => rankOf(a) - rankOf(b) || a.event.at.getTime() - b.event.at.getTime());
    this.#subscriptions = [...deliver.destinations.values()].filter(
      ({ status, disabledReason }) => status !== 'disabled' || disabledReason === 'failing',
    );
    return this.#notes.length;
  }

  /** Of the notes that are still there: another relay may have had them while their bucket moved. */
  #storeEvents(): void {
    const { outbox, deliver } = this.#tables;
    const taken = new Set(this.#notes.filter((note) => outbox.includes(note)));
    for (const note of taken) outbox.splice(outbox.indexOf(note), 1);
    this.#numbered = this.#happened
      .filter(({ note }) => taken.has(note))
      .map(({ note, event, lead }) => {
        const number = (deliver.counters.get(event.workspaceId) ?? 0) + 1;
        deliver.counters.set(event.workspaceId, number);
        return { note, event: { ...event, number }, lead };
      });
    for (const { event } of this.#numbered) deliver.events.push(event);
  }

  /** Returns when someone should look at each destination. */
  commit({ now, newId }: CommitTime): ReadonlyMap<string, DueWake> {
    this.#storeEvents();
    const { deliver } = this.#tables;
    const wakes = new Map<string, DueWake>();
    const wake = (id: string, at: number, isUrgent = false) => {
      const before = wakes.get(id);
      wakes.set(id, { at: Math.min(at, before?.at ?? at), isUrgent: isUrgent || before?.isUrgent === true });
    };
    for (const { event, lead } of this.#numbered) {
      for (const subscription of this.#subscriptions) {
        if (!this.#isWanted(event, lead, subscription)) continue;
        const own = { ...event, data: dataFor(event, subscription) };
        const firstAt = this.#firstAt(event, lead, subscription, now);
        const row = newDelivery(newId(), subscription.id, own, firstAt);
        deliver.deliveries.set(row.id, row);
        wake(row.destinationId, row.nextAt, isAlarmEvent(event.type));
      }
      if (event.type === 'lead.enriched')
        for (const row of deliver.deliveries.values())
          if (isWaitingFor(event, row, now)) {
            deliver.change(row.id, { nextAt: now });
            wake(row.destinationId, now);
          }
    }
    return wakes;
  }

  #happenedIn(note: OutboxRow): Happened[] {
    const { type, at, data, workspaceIds, submissionIds } = note;
    return workspaceIds.flatMap((workspaceId, i) => {
      const submissionId = submissionIds[i] ?? null;
      const lead = leadOf(this.#tables, workspaceId, submissionId);
      if (type === 'enrich' || (lead === null && isAboutStoredLead(type))) return [];
      const happenedAt = new Date(at ?? lead?.receivedAt ?? 0);
      return { note, event: { workspaceId, type, at: happenedAt, submissionId, data }, lead };
    });
  }

  #isWanted(event: NewEvent, lead: LeadRow | null, destination: Subscription): boolean {
    const { id, workspaceId, events, filter } = destination;
    if (workspaceId !== event.workspaceId || event.data?.id === id) return false;
    if (!(events as readonly string[]).includes(event.type)) return false;
    if (isAlarmEvent(event.type)) return dataFor(event, destination) !== null;
    return lead === null || mayMatch(filter, factsOf(this.#tables, lead));
  }

  #firstAt({ type }: NewEvent, lead: LeadRow | null, destination: Subscription, now: number): number {
    const isWaiting =
      destination.sendWhen === 'enriched' &&
      (type === 'lead.accepted' || type === 'lead.released') &&
      lead?.score.verdict === 'clean' &&
      !this.#tables.deliver.enriched.has(leadName(lead.workspaceId, lead.submissionId));
    return isWaiting ? now + destination.waitMaxSeconds * secondMs : now;
  }
}

function dataFor({ type, data }: NewEvent, destination: Subscription): NewEvent['data'] {
  return isAlarmEvent(type) ? alarmDataFor(data, destination) : data;
}

function newDelivery(id: string, destinationId: string, event: NewEvent, nextAt: number): DeliveryRow {
  return {
    ...{ workspaceId: event.workspaceId, id, destinationId, event, nextAt },
    ...{ ...untried, replayOf: null, replayId: null },
  };
}

function isWaitingFor({ workspaceId, submissionId }: NewEvent, row: DeliveryRow, now: number): boolean {
  const { event, state, attempts, nextAt } = row;
  return (
    event.workspaceId === workspaceId &&
    event.submissionId === submissionId &&
    ['lead.accepted', 'lead.released'].includes(event.type) &&
    state === 'pending' &&
    attempts === 0 &&
    nextAt > now
  );
}

function isAboutStoredLead(type: OutboxRow['type']): boolean {
  return type.startsWith('lead.') && type !== 'lead.erased';
}

function rankOf({ event }: Happened): number {
  return event.type === 'lead.accepted' ? 0 : 1;
}
