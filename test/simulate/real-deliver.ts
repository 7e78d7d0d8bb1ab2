import pg from 'pg';
import type { DestinationRow } from '../../simulate/database/deliver/deliver-rows.ts';
import { insertReplay } from '../../src/db/deliver/delivery-replays.ts';
import { insertDestination, resetHealth, wakeDestination } from '../../src/db/deliver/destinations.ts';
import { cancelDeliveries } from '../../src/db/deliver/erased-deliveries.ts';
import { postgresDeliver } from '../../src/db/deliver/postgres-deliver.ts';
import { ingestCommit, ingestLimits, type StorableLead } from '../../src/db/ingest/ingest-commit.ts';
import { deleteLeads, findOriginals } from '../../src/db/leads/leads.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { type NewNote, noteLead } from '../../src/db/relay/outbox.ts';
import { firstDeliveryId } from '../../src/domain/destination/delivery-id.ts';
import { relayNotes } from '../../src/relay/turn.ts';
import { Random } from '../../src/time/random.ts';
import { seededRandomness } from '../../src/time/randomness.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import type { DeliverTableRows } from './deliver-table-rows.ts';

/** Deliveries have ids of their own here, so they are named by destination, event and how often they were replayed. */
const deliveryName = `(select row_number() over (partition by d.destination_id, d.event_id order by d.id) as n, d.*
  from deliveries d)`;

const queries: Record<keyof DeliverTableRows, string> = {
  leases: 'select destination_id, instance_id, until, wake_at, digest_at from destination_leases',
  destinations: 'select id, status, disabled_reason, version from destinations',
  health: `select destination_id, consecutive_failures, opened_at, next_probe_at, failing_since, last_error
    from destination_health`,
  events: 'select workspace_id, id, type, submission_id, at, data from lead_events',
  counters: 'select workspace_id, last from event_counters',
  deliveries: `select destination_id, event_id, n, event_type, submission_id, state, attempts, next_at, last_status,
      last_error_class, replay_of is not null, replay_id, delivered_at, external_ref from ${deliveryName} as d`,
  attempts: `select destination_id, event_id, d.n, a.n as number, a.status
    from ${deliveryName} as d join delivery_attempts a on a.delivery_id = d.id`,
  outbox: 'select type, at, workspace_ids::text[], submission_ids::text[], data from enrichment_outbox',
};

/** PostgreSQL, through the functions that the engine and the relay use. */
export class RealDeliver {
  readonly #pool: pg.Pool;
  readonly #clock = new SimulatedClock(0);
  readonly #random = new Random(1);

  constructor(connectionString: string) {
    this.#pool = new pg.Pool({ connectionString, max: 1 });
    this.#pool.on('connect', (client) => client.query('set synchronous_commit = off'));
  }

  get engine() {
    return postgresDeliver(this.#pool, this.#clock);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async empty(destinations: readonly DestinationRow[], now: number): Promise<void> {
    await this.#pool.query(`
      delete from leads; delete from idempotency_keys; delete from rate_windows; delete from enrichment_outbox;
      delete from deliveries; delete from delivery_attempts; delete from lead_events; delete from event_counters;
      delete from delivery_replays; delete from destinations`);
    for (const row of destinations) {
      await this.#pool.query(
        `insert into workspaces (id, name, status, created_at, revision) values ($1, 'Acme', 'active', now(), 1)
         on conflict do nothing`,
        [row.workspaceId],
      );
      const change = { createdAt: new Date(now), createdBy: 'x', updatedAt: new Date(now), updatedBy: 'x' };
      await inTransaction(this.#pool, (client) => insertDestination(client, { ...row, ...change }));
    }
  }

  async commit(leads: readonly StorableLead[], now: number): Promise<void> {
    const client = await this.#pool.connect();
    await ingestCommit(client, leads, { now, isRetry: false }, ingestLimits);
    client.release();
  }

  note(workspaceId: string, note: NewNote): Promise<void> {
    return noteLead(this.#pool, workspaceId, null, note);
  }

  relay(now: number): Promise<boolean> {
    const clock = new SimulatedClock(now);
    return relayNotes({ pool: this.#pool, clock, randomness: seededRandomness(this.#random, clock) }, 20);
  }

  /** What an erasure does to deliveries. */
  async erase(workspaceId: string, submissionId: string, now: number): Promise<boolean> {
    return inTransaction(this.#pool, async (client) => {
      const [lead] = await findOriginals(client, workspaceId, [submissionId], 1);
      if (lead === undefined) return false;
      await deleteLeads(client, workspaceId, [lead]);
      await cancelDeliveries(client, workspaceId, [submissionId]);
      const at = new Date(Math.max(now, lead.receivedAt.getTime()));
      const data = { form_id: lead.formId };
      await noteLead(client, workspaceId, submissionId, { type: 'lead.erased', at, data });
      return true;
    });
  }

  async tryAgain(destinationId: string, now: number): Promise<void> {
    await inTransaction(this.#pool, async (client) => {
      await resetHealth(client, destinationId);
      await wakeDestination(client, destinationId, new Date(now));
    });
  }

  async addReplay(id: string, workspaceId: string, now: number): Promise<void> {
    const lastId = firstDeliveryId(new Date(now + 1));
    const rest = { afterId: null, total: 0, done: 0, createdBy: 'x', finishedAt: null };
    await insertReplay(this.#pool, {
      id,
      workspaceId,
      selection: {},
      lastId,
      createdAt: new Date(now),
      ...rest,
    });
  }

  /** The id of a delivery, by its name. */
  async deliveryId(destinationId: string, eventNumber: number, n: number): Promise<string> {
    const { rows } = await this.#pool.query(
      `select id from ${deliveryName} as d where destination_id = $1 and event_id = $2 and n = $3`,
      [destinationId, eventNumber, n],
    );
    return rows[0].id;
  }

  async rows(): Promise<DeliverTableRows> {
    const text = Object.values(queries).join(';\n');
    const results = (await this.#pool.query({ text, rowMode: 'array' })) as unknown as pg.QueryArrayResult[];
    return Object.fromEntries(
      Object.keys(queries).map((table, place) => [table, results[place]?.rows ?? []]),
    ) as unknown as DeliverTableRows;
  }
}
