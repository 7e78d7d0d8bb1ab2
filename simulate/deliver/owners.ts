import type { NewEvent } from '../../src/db/relay/lead-events.ts';
import { firstDeliveryId } from '../../src/domain/destination/delivery-id.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { secondMs } from '../../src/time/clock.ts';
import { seededRandomness } from '../../src/time/randomness.ts';
import { type Asking, ask, askShard } from '../database/deliver/deliver-client.ts';
import { leadOf } from '../database/deliver/deliver-model.ts';
import { type DeliveryRow, leadName } from '../database/deliver/deliver-rows.ts';
import { enrichLead, markLead } from '../database/deliver/marks.ts';
import { insertReplayed } from '../database/deliver/replays.ts';
import type { LeadRow } from '../database/workspace-rows.ts';
import { bodyHashes } from '../instance/instance.ts';
import { type Workspace, workspaces } from '../senders/cast.ts';
import type { DeliveryAct, DestinationChange, LeadChange } from './delivery-plan.ts';
import { destinationId, webhookConfig } from './destinations.ts';

/** What an owner has done, with times on the monotonic scale. */
export interface Done {
  readonly does: LeadChange | DestinationChange;
  /** The id of the lead or of the destination. */
  readonly target: string;
  readonly sentMs: number;
  /** When it was confirmed. */
  ackedMs: number;
}

type OwnerAct = Extract<DeliveryAct, { kind: 'owner' | 'destination' | 'replay' | 'replay all' }>;

const againMs = 500;
const feedMs = 400;
const eventsPerPage = 5;

/** People in the settings area. They repeat what failed until it is confirmed. */
export class Owners {
  readonly history: Done[] = [];
  /** Leads as they were. */
  readonly erased: LeadRow[] = [];
  /** The ids of those that had been rejected first, and admitted. */
  readonly erasedAdmitted = new Set<string>();
  /** What each workspace has read of its feed. */
  readonly feeds = new Map<string, NewEvent[]>();
  readonly #asking: Asking;
  readonly #newId: () => string;
  #busy = 0;

  constructor(asking: Asking) {
    this.#asking = asking;
    const randomness = seededRandomness(asking.life.random, asking.life);
    this.#newId = () => randomness.uuid();
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  perform(act: OwnerAct): void {
    switch (act.kind) {
      case 'owner':
        void this.#changeLead(act.does, act.pick);
        break;
      case 'destination':
        this.changeDestination(act.does, destinationId(act.destination), act.destination);
        break;
      case 'replay':
        void this.#replay(act.pick);
        break;
      case 'replay all':
        void this.#replayAll((workspaces[act.workspace] as Workspace).id);
    }
  }

  /** Reads the feeds until the end. */
  followFeeds(workspaceIds: readonly string[]): void {
    for (const workspaceId of workspaceIds) {
      const feed: NewEvent[] = [];
      this.feeds.set(workspaceId, feed);
      this.#asking.life.repeat(() => this.#readFeed(workspaceId, feed), { pauseMs: feedMs });
    }
  }

  async #readFeed(workspaceId: string, feed: NewEvent[]): Promise<void> {
    const after = feed.at(-1)?.number ?? 0;
    const { events } = this.#asking.server.tables.deliver;
    const work = () =>
      events
        .filter((event) => event.workspaceId === workspaceId && event.number > after)
        .toSorted((a, b) => a.number - b.number)
        .slice(0, eventsPerPage);
    feed.push(...(await askShard(this.#asking, shardOf(workspaceId), { name: 'feed', work })));
  }

  async #changeLead(does: LeadChange, pick: number): Promise<void> {
    const { server, life } = this.#asking;
    const { tables } = server;
    const lead = picked([...tables.leads()], pick);
    if (lead === undefined) return;
    const { workspaceId, submissionId } = lead;
    const now = () => life.now();
    const work = {
      erase: () => {
        const before = leadOf(tables, workspaceId, submissionId);
        if (before !== null) this.erased.push(before);
        if (tables.held.recoveries.has(leadName(workspaceId, submissionId)))
          this.erasedAdmitted.add(submissionId);
        return tables.eraseLead(workspaceId, submissionId, now(), (body) => bodyHashes.of(workspaceId, body));
      },
      spam: () => markLead(tables, lead, 'spam', now()),
      unmark: () => markLead(tables, lead, 'not_spam', now()),
      enrich: () => enrichLead(tables, lead, now()),
    }[does];
    const done = this.#begin(does, submissionId);
    await this.#insist(() => askShard(this.#asking, shardOf(workspaceId), { name: does, work }));
    done.ackedMs = life.monotonic();
  }

  changeDestination(does: DestinationChange, id: string, number: number): void {
    const { server, life } = this.#asking;
    const { deliver } = server.tables;
    const work = () => {
      const { status, version, kind } = deliver.destinations.get(id) ?? {};
      if (version === undefined) return;
      const next = version + 1;
      if (does === 'change')
        deliver.changeDestination(id, {
          version: next,
          ...(kind === 'webhook' ? { kind, config: webhookConfig(number, next) } : {}),
        });
      else if (does === 'resume')
        deliver.changeDestination(id, { version: next, status: 'active', disabledReason: null });
      else if (does === 'pause' && status === 'active')
        deliver.changeDestination(id, { version: next, status: 'paused' });
      if (does === 'pause') return;
      deliver.tryAgain(id, life.now());
    };
    const done = this.#begin(does, id);
    void this.#insist(() => ask(this.#asking, { name: `${does} ${id}`, work })).then(() => {
      done.ackedMs = life.monotonic();
    });
  }

  /** replayDelivery of src/manage/destinations. */
  async #replay(pick: number): Promise<void> {
    const { server, life } = this.#asking;
    const { tables } = server;
    const delivery = picked([...tables.deliver.deliveries.values()], pick);
    if (delivery === undefined) return;
    const { id, workspaceId, destinationId: to } = delivery;
    const work = () => {
      const row = tables.deliver.deliveries.get(id) as DeliveryRow;
      const needsLead = row.event.type.startsWith('lead.') && row.event.type !== 'lead.erased';
      if (needsLead && leadOf(tables, workspaceId, row.event.submissionId) === null) return false;
      const now = life.now();
      const waiting = row.state === 'pending' ? row : this.#recentReplay(id, now);
      if (waiting === undefined) insertReplayed(tables, row, this.#newId(), now, null);
      else if (waiting.state === 'pending')
        tables.deliver.change(waiting.id, { nextAt: Math.min(waiting.nextAt, now) });
      return true;
    };
    await this.#insist(async () => {
      if (await askShard(this.#asking, shardOf(workspaceId), { name: 'replay one', work }))
        await ask(this.#asking, { name: 'wake', work: () => tables.deliver.wake(to, life.now()) });
    });
  }

  #recentReplay(of: string, now: number): DeliveryRow | undefined {
    const createdAfter = firstDeliveryId(new Date(now - 2 * secondMs));
    return [...this.#asking.server.tables.deliver.deliveries.values()].findLast(
      ({ id, replayOf, state }) => replayOf === of && (state === 'pending' || id > createdAfter),
    );
  }

  async #replayAll(workspaceId: string): Promise<void> {
    const { server, life } = this.#asking;
    const { replays } = server.tables.deliver;
    const work = () => {
      if ([...replays.values()].some((replay) => replay.workspaceId === workspaceId && !replay.isFinished))
        return;
      const id = this.#newId();
      const lastId = firstDeliveryId(new Date(life.now() + 1));
      replays.set(id, { id, workspaceId, lastId, afterId: null, done: 0, isFinished: false });
    };
    await this.#insist(() => ask(this.#asking, { name: 'replay all', work }));
  }

  #begin(does: Done['does'], target: string): Done {
    const done = { does, target, sentMs: this.#asking.life.monotonic(), ackedMs: Number.POSITIVE_INFINITY };
    this.history.push(done);
    return done;
  }

  async #insist(action: () => Promise<unknown>): Promise<void> {
    this.#busy++;
    for (;;) {
      try {
        await action();
        break;
      } catch {
        await this.#asking.life.sleep(againMs);
      }
    }
    this.#busy--;
  }
}

function picked<Row>(rows: readonly Row[], pick: number): Row | undefined {
  return rows[Math.floor(pick * rows.length)];
}
