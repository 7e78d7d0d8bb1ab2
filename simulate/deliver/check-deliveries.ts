import type { NewEvent } from '../../src/db/relay/lead-events.ts';
import { webhookId } from '../../src/domain/destination/request/event-id.ts';
import { triesMax } from '../../src/domain/destination/retry/schedule.ts';
import { secondMs } from '../../src/time/clock.ts';
import type { DeliverRows, DeliveryRow } from '../database/deliver/deliver-rows.ts';
import type { LeadRow } from '../database/workspace-rows.ts';
import type { Finding } from '../finding.ts';
import { type Workspace, workspaces } from '../senders/cast.ts';
import type { World } from '../world.ts';
import { checkMessages } from './check-messages.ts';
import type { DestinationPlan } from './delivery-plan.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import { destinationId } from './destinations.ts';
import { afterFailureMs, wasDisturbed } from './disturbed.ts';
import type { Done } from './owners.ts';
import type { Sent } from './receivers.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** What is sent was read within this time. */
const readMs = secondMs;
const leaseMs = 15 * secondMs;
/** A statement may take effect this long after its sender has given up. */
const lateEffectMs = 10 * secondMs;
/** What a destination that works gets is sent within this time, unless something failed shortly before. */
const soonMs = 5 * secondMs;
const marking: readonly Done['does'][] = ['spam', 'unmark'];

/** Compares what happened to leads with what receivers got, and both with what was promised. */
export function checkDeliveries(world: World): Finding[] {
  const { delivery } = world;
  if (delivery === null) return [];
  return [...new DeliveryCheck(world, delivery).findings, ...checkMessages(world, delivery)];
}

class DeliveryCheck {
  readonly findings: Finding[] = [];
  readonly #world: World;
  readonly #delivery: DeliveryWorld;
  readonly #rows: DeliverRows;
  readonly #leads: ReadonlyMap<string, LeadRow>;
  /** The ids of leads that were erased. One may be stored again since, with another body. */
  readonly #erased: ReadonlySet<string>;
  /** By destination and `webhook-id`. */
  readonly #sent: ReadonlyMap<string, Sent[]>;

  constructor(world: World, delivery: DeliveryWorld) {
    this.#world = world;
    this.#delivery = delivery;
    this.#rows = world.server.tables.deliver;
    this.#leads = new Map([...world.server.tables.leads()].map((row) => [row.submissionId, row]));
    this.#erased = new Set(delivery.owners.erased.map(({ submissionId }) => submissionId));
    this.#sent = Map.groupBy(delivery.receivers.requests, (sent) =>
      sentName(destinationId(sent.destination), sent.webhookId),
    );
    this.#judgeEvents();
    this.#judgeFeeds();
    for (const [number, destination] of delivery.plan.destinations.entries())
      this.#judgeDestination(number, destination);
    for (const row of this.#rows.deliveries.values()) this.#judgeDelivery(row);
    this.#judgeAttempts();
    for (const sent of delivery.receivers.requests) this.#judgeRequest(sent);
  }

  #find(kind: Finding['kind'], text: string): void {
    this.findings.push({ kind, text });
  }

  /** Of each lead that is stored, exactly one event says that it was accepted; of each erased one, one says so. */
  #judgeEvents(): void {
    const told = (type: string) =>
      Map.groupBy(
        this.#rows.events.filter((event) => event.type === type),
        ({ submissionId }) => submissionId,
      );
    const accepted = told('lead.accepted');
    for (const id of this.#leads.keys()) {
      const count = accepted.get(id)?.length ?? 0;
      if (count === 0) this.#find('untold', `nobody is told that ${id} was accepted`);
      if (count > 1 && !this.#erased.has(id)) this.#find('doubled', `${id} was accepted ${count} times`);
    }
    const erasures = told('lead.erased');
    for (const id of this.#erased) if (!erasures.has(id)) this.#find('untold', `${id} was erased`);
  }

  /** Programs that follow the feed read each event, in the order of the numbers. */
  #judgeFeeds(): void {
    for (const [workspaceId, feed] of this.#delivery.owners.feeds) {
      const numbers = this.#rows.events
        .filter((event) => event.workspaceId === workspaceId)
        .map(({ number }) => number)
        .toSorted((a, b) => a - b);
      if (numbers.join() !== feed.map(({ number }) => number).join())
        this.#find('untold', `the feed of ${workspaceId} has ${feed.length} of ${numbers.length} events`);
    }
  }

  /** What a destination subscribes to becomes a delivery. */
  #judgeDestination(number: number, plan: DestinationPlan): void {
    const id = destinationId(number);
    const { id: workspaceId } = workspaces[plan.workspace] as Workspace;
    // A receiver that wanted no more was told nothing until its owner resumed it.
    if (this.#rows.events.some(({ type, data }) => type === 'destination.disabled' && data?.id === id))
      return;
    const known = new Set(
      [...this.#rows.deliveries.values()]
        .filter((row) => row.destinationId === id)
        .map(({ event }) => event.number),
    );
    for (const event of this.#rows.events)
      if (
        event.workspaceId === workspaceId &&
        this.#isCertainlyWanted(event, plan) &&
        !known.has(event.number)
      )
        this.#find(
          'undelivered',
          `destination ${number} has no delivery of ${event.type} ${event.submissionId}`,
        );
  }

  #isCertainlyWanted({ type, submissionId }: NewEvent, { events, isForCleanOnly }: DestinationPlan): boolean {
    if (type === 'destination.disabled' || !(events as readonly string[]).includes(type)) return false;
    const lead = this.#leads.get(submissionId ?? '');
    if (type === 'lead.erased') return lead === undefined;
    if (lead === undefined || this.#erased.has(lead.submissionId)) return false;
    return (
      !isForCleanOnly || (lead.score.verdict === 'clean' && !this.#wasMarked(lead.submissionId, marking))
    );
  }

  #wasMarked(submissionId: string, marks: readonly Done['does'][]): boolean {
    const { history } = this.#delivery.owners;
    return history.some(({ does, target }) => marks.includes(does) && target === submissionId);
  }

  #judgeDelivery(row: DeliveryRow): void {
    const { id, destinationId: to, event, state, attempts, lastStatus } = row;
    const name = `delivery ${id} of ${event.type} ${event.submissionId} to ${to}`;
    const sent = this.#sent.get(sentName(to, webhookId(event))) ?? [];
    const plan = this.#delivery.plan.destinations.find((_, number) => destinationId(number) === to);
    const isRight = {
      pending: false,
      // What became of a message is judged by checkMessages.
      delivered: plan?.kind !== 'webhook' || sent.some(({ status }) => status !== null && status < 300),
      dead: (attempts === triesMax || lastStatus === 410) && sent.length >= attempts,
      skipped:
        plan?.isForCleanOnly === true &&
        (this.#wasMarked(event.submissionId ?? '', ['spam']) || this.#isOtherNow(event.submissionId ?? '')),
      cancelled: this.#erased.has(event.submissionId ?? ''),
    }[state];
    if (!isRight)
      this.#find(
        state === 'delivered' ? 'unsent' : 'undelivered',
        `${name} is ${state} after ${attempts} tries`,
      );
    if (attempts > sent.length) this.#find('unsent', `${name} has ${attempts} tries, ${sent.length} arrived`);
    if (plan !== undefined) this.#judgeDelay(row, plan, sent[0], name);
  }

  /** Whether it was sent when it was due. */
  #judgeDelay(
    { id, replayOf }: DeliveryRow,
    plan: DestinationPlan,
    first: Sent | undefined,
    name: string,
  ): void {
    const { mood, perSecond, sendWhen } = plan;
    if (first === undefined || replayOf !== null) return;
    if (mood !== 'well' || perSecond < 50 || sendWhen !== 'accepted') return;
    const madeMs = this.#delivery.monotonicOf(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
    if (first.sentMs <= madeMs + soonMs || this.#wasDisturbed(madeMs, first.destination)) return;
    this.#find('late', `${name} was sent after ${Math.round(first.sentMs - madeMs)} ms`);
  }

  #wasDisturbed(madeMs: number, destination: number): boolean {
    const from = madeMs - afterFailureMs;
    const to = madeMs + soonMs;
    return (
      wasDisturbed(this.#world, this.#delivery, madeMs, soonMs) ||
      this.#delivery.owners.history.some((done) => {
        const isAbout = done.target === destinationId(destination);
        return isAbout && done.sentMs <= to && done.ackedMs >= from;
      })
    );
  }

  /** Nothing of what receivers responded is kept of a lead that was erased. */
  #judgeAttempts(): void {
    for (const { deliveryId } of this.#rows.attempts.values()) {
      const { event } = this.#rows.deliveries.get(deliveryId) as DeliveryRow;
      if (event.type !== 'lead.erased' && this.#isErased(event.submissionId))
        this.#find('leaked', `an attempt of ${deliveryId} is kept although its lead was erased`);
    }
  }

  /** And was not sent again since, as a new lead with the same id. */
  #isErased(submissionId: string | null): boolean {
    const id = submissionId ?? '';
    return this.#erased.has(id) && !this.#leads.has(id);
  }

  /** It was erased, and sent again with another verdict. */
  #isOtherNow(submissionId: string): boolean {
    return this.#erased.has(submissionId) && this.#leads.get(submissionId)?.score.verdict !== 'clean';
  }

  #judgeRequest(sent: Sent): void {
    const { destination, type, submissionId, startedMs, life } = sent;
    const name = `${type} ${submissionId} to destination ${destination} by ${life} at ${startedMs}`;
    const isKnown = this.#rows.events.some(
      (event) =>
        event.type === type && event.submissionId === submissionId && webhookId(event) === sent.webhookId,
    );
    if (!isKnown) this.#find('renamed', `${name} has the id ${sent.webhookId}, which no event has`);
    const hasLeapt = this.#delivery.leaps.some(({ at }) => at <= startedMs && startedMs < at + leaseMs);
    if (!sent.isLeased && !hasLeapt) this.#find('unleased', name);
    const isIn = (spans: readonly Span[]) => spans.some(({ from, to }) => startedMs > from && startedMs < to);
    const id = destinationId(destination);
    if (isIn(this.#spans(id, 'pause', ['resume']))) this.#find('leaked', `${name}, which was paused`);
    if (type === 'lead.erased' || type === 'destination.disabled' || submissionId === null) return;
    if (this.#isErased(submissionId) && isIn(this.#spans(submissionId, 'erase', [])))
      this.#find('leaked', `${name}, whose lead was erased`);
    const isForCleanOnly = this.#delivery.plan.destinations[destination]?.isForCleanOnly === true;
    // One that was erased and sent again has no mark.
    // Nothing is told of one that is only counted.
    if (isForCleanOnly && !sent.isOnlyCounted && isIn(this.#spans(submissionId, 'spam', ['unmark', 'erase'])))
      this.#find('leaked', `${name}, whose lead was marked as spam`);
  }

  /** When one thing was certainly in effect: from shortly after it was confirmed until someone began to undo it. */
  #spans(target: string, does: Done['does'], undoes: readonly Done['does'][]): Span[] {
    const history = this.#delivery.owners.history.filter((done) => done.target === target);
    const undone = history.filter((done) => undoes.includes(done.does));
    return history
      .filter((done) => done.does === does)
      .filter(
        (done) =>
          !undone.some(
            (other) => other.sentMs <= done.ackedMs && other.ackedMs + lateEffectMs >= done.sentMs,
          ),
      )
      .map(({ ackedMs }) => ({
        from: ackedMs + readMs,
        to: Math.min(
          Number.POSITIVE_INFINITY,
          ...undone.filter(({ sentMs }) => sentMs > ackedMs).map(({ sentMs }) => sentMs),
        ),
      }));
  }
}

function sentName(id: string, webhook: string): string {
  return `${id} ${webhook}`;
}
