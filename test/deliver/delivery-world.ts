import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import type { ChannelDeps, Sender } from '../../src/channels/channel.ts';
import { channelsOf } from '../../src/channels/channels.ts';
import type { DeliverDatabase } from '../../src/db/deliver/deliver-database.ts';
import { postgresDeliver } from '../../src/db/deliver/postgres-deliver.ts';
import { openPool } from '../../src/db/pool.ts';
import { DeliveryEngine, type DeliveryEngineDeps } from '../../src/deliver/engine.ts';
import type { DestinationKind } from '../../src/domain/destination/destination.ts';
import { newWebhookSecret } from '../../src/domain/destination/request/webhook-signature.ts';
import { destinationHeadersOwner, destinationSecretOwner } from '../../src/domain/destination/secrets.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { AllowList } from '../../src/net/delivery/allow-list.ts';
import { DeliveryHttp } from '../../src/net/delivery/delivery-http.ts';
import { DeliveryGuard } from '../../src/net/delivery/guard.ts';
import { systemEgress } from '../../src/net/egress.ts';
import { systemRandomness } from '../../src/time/randomness.ts';
import { ShiftedClock } from '../support/clocks.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';
import { encryptionKey } from '../support/service.ts';

export const secretBox = new SecretBox(encryptionKey);
const accepted = { isAccepted: true, isAboutRecipient: true, status: 250, text: 'OK' };

export interface DestinationOptions {
  readonly url?: string;
  /** A webhook unless it says otherwise; then with its settings. */
  readonly kind?: DestinationKind;
  readonly config?: object;
  readonly secret?: string;
  readonly name?: string;
  readonly mapping?: readonly object[];
  readonly format?: string;
  readonly filter?: object;
  readonly formIds?: readonly string[] | null;
  readonly perSecond?: number;
  readonly headers?: Record<string, string>;
  readonly status?: string;
}

export interface DeliveryOptions {
  readonly event?: string;
  readonly eventData?: object | null;
  readonly submissionId?: string | null;
  readonly dueInMs?: number;
  readonly isReplay?: boolean;
  readonly attempts?: number;
}

interface Replaced extends Partial<Omit<DeliveryEngineDeps, 'database' | 'channels'>> {
  readonly sender?: Sender;
  /** How emails leave; accepted by nobody in particular unless it is replaced. */
  readonly delivering?: ChannelDeps['mail'];
  readonly hubspotUrl?: string;
  /** Replaces some calls. */
  readonly watch?: (database: DeliverDatabase) => Partial<DeliverDatabase>;
}

interface StartedEngine {
  readonly engine: DeliveryEngine;
  readonly pool: pg.Pool;
  readonly http: DeliveryHttp;
}

/** A database with a workspace, and engines that deliver from it to loopback. */
export class DeliveryWorld {
  readonly clock = new ShiftedClock();
  readonly secrets = new Map<string, string>();
  readonly workspaceId: string = randomUUID();
  readonly formId: string = randomUUID();
  readonly pool: pg.Pool;
  readonly #database: TestDatabase;
  readonly #engines: StartedEngine[] = [];
  #events = 0;

  static async create(): Promise<DeliveryWorld> {
    const world = new DeliveryWorld(await createTestDatabase());
    await world.#prepare();
    return world;
  }

  private constructor(database: TestDatabase) {
    this.#database = database;
    this.pool = openTestPool(database.url);
  }

  get databaseUrl(): string {
    return this.#database.url;
  }

  async #prepare(): Promise<void> {
    await this.pool.query(
      `insert into workspaces (id, name, status, created_at, revision) values ($1, 'Acme', 'active', now(), 1)`,
      [this.workspaceId],
    );
    await this.pool.query(
      `insert into forms (workspace_id, id, name, slug, active, fields, replay_protection, created_at, revision)
       values ($2, $1, 'Contact', 'contact', true, '[]', 'unkeyed', now(), 1)`,
      [this.formId, this.workspaceId],
    );
  }

  async close(): Promise<void> {
    await this.stop();
    await this.pool.end();
    await this.#database.drop();
  }

  /** Starts an instance. */
  start(replaced: Replaced = {}, databaseUrl = this.#database.url): DeliveryEngine {
    const {
      log = pino({ level: 'silent' }),
      watch,
      sender,
      hubspotUrl = '',
      delivering = { isOn: true, deliver: async () => accepted },
      ...others
    } = replaced;
    const pool = openPool(databaseUrl, 6, log);
    const stored = postgresDeliver(pool, this.clock);
    const database = { ...stored, ...watch?.(stored) };
    const guard = new DeliveryGuard({
      allow: new AllowList('127.0.0.1'),
      ownPorts: () => [],
      publicUrl: null,
      databasePorts: [],
    });
    const http = new DeliveryHttp({ isOn: true, guard, egress: systemEgress });
    const engine = new DeliveryEngine({
      database,
      channels: channelsOf({
        sender: sender ?? http,
        ...{ database, clock: this.clock, log, hubspotUrl },
        mail: delivering,
      }),
      secretBox,
      clock: this.clock,
      randomness: systemRandomness,
      log,
      meter: { onAttempt() {}, onUnsent() {} },
      publicUrl: () => 'https://leads.example',
      isBusy: () => false,
      ...others,
    });
    engine.start();
    this.#engines.push({ engine, pool, http });
    return engine;
  }

  /** All instances. */
  async stop(): Promise<void> {
    for (const { engine, pool, http } of this.#engines.splice(0)) {
      await engine.stop();
      http.stop();
      await pool.end();
    }
  }

  /** Stops them and forgets what waits, so that the next test starts with nothing. */
  async reset(): Promise<void> {
    await this.stop();
    await this.pool.query(`update deliveries set state = 'cancelled' where state = 'pending'`);
    this.clock.reset();
  }

  async destination(options: DestinationOptions): Promise<string> {
    const id = randomUUID();
    const { url, format = 'standard', filter = { all: [] }, formIds = null, headers = {} } = options;
    const { secret = newWebhookSecret(), kind = 'webhook', status = 'active', mapping = [] } = options;
    const config = options.config ?? { url, format, headers: Object.keys(headers) };
    this.secrets.set(id, secret);
    await this.pool.query(
      `insert into destinations (id, workspace_id, name, kind, status, form_ids, events, filter, mapping, config,
         headers_ciphertext, secret_ciphertext, send_when, wait_max_s, per_second, created_at, created_by, updated_at, updated_by)
       values ($1, $2, $3, $4, $5, $6, '{lead.accepted}', $7, $8, $9, $10, $11, 'accepted', 0, $12,
         now(), 'test', now(), 'test')`,
      [
        ...[id, this.workspaceId, options.name ?? 'CRM', kind, status, formIds],
        ...[JSON.stringify(filter), JSON.stringify(mapping), JSON.stringify(config)],
        secretBox.seal(JSON.stringify(headers), destinationHeadersOwner(id)),
        secretBox.seal(secret, destinationSecretOwner(id)),
        options.perSecond ?? 500,
      ],
    );
    await this.pool.query('insert into destination_leases (destination_id) values ($1)', [id]);
    await this.pool.query('insert into destination_health (destination_id) values ($1)', [id]);
    return id;
  }

  async lead(values: Record<string, unknown> = {}): Promise<string> {
    const id = randomUUID();
    const { fields = { email: 'ada@example.com' }, verdict = 'clean', formId = this.formId } = values;
    await this.pool.query(
      `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
         grade, verdict, reasons, ruleset)
       values ($1, $2, $3, $4, 'server', now(), $5, $6, 40, 0, 'B', $7, '[]', 'test')`,
      [
        ...[shardOf(this.workspaceId), this.workspaceId, id, formId],
        ...[Buffer.from(JSON.stringify(fields)), JSON.stringify(fields), verdict],
      ],
    );
    return id;
  }

  /** As the relay adds them, without waking the destination. */
  async addUnnoticed(destinationId: string, options: DeliveryOptions = {}): Promise<string> {
    const id = systemRandomness.uuid();
    const { event = 'lead.accepted', eventData = null, dueInMs = 0 } = options;
    const { isReplay = false, attempts = 0 } = options;
    const submissionId = options.submissionId === undefined ? await this.lead() : options.submissionId;
    const now = this.clock.now();
    await this.pool.query(
      `insert into deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, event_data,
         submission_id, state, next_at, created_at, replay_of, attempts)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'pending', $10, $7, $11, $12)`,
      [
        shardOf(this.workspaceId),
        this.workspaceId,
        id,
        destinationId,
        ++this.#events,
        event,
        new Date(now),
        eventData === null ? null : JSON.stringify(eventData),
        submissionId,
        new Date(now + dueInMs),
        isReplay ? randomUUID() : null,
        attempts,
      ],
    );
    return id;
  }

  async add(destinationId: string, options: DeliveryOptions = {}): Promise<string> {
    const id = await this.addUnnoticed(destinationId, options);
    await this.wake(destinationId, options.dueInMs);
    return id;
  }

  async wake(destinationId: string, inMs = 0): Promise<void> {
    await this.pool.query(
      'update destination_leases set wake_at = least(wake_at, $2) where destination_id = $1',
      [destinationId, new Date(this.clock.now() + inMs)],
    );
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test expects other columns.
  async delivery(id: string): Promise<any> {
    const { rows } = await this.pool.query('select * from deliveries where id = $1', [id]);
    return rows[0];
  }

  async attempts(id: string) {
    const { rows } = await this.pool.query(
      'select * from delivery_attempts where delivery_id = $1 order by n',
      [id],
    );
    return rows;
  }

  async health(destinationId: string) {
    const { rows } = await this.pool.query('select * from destination_health where destination_id = $1', [
      destinationId,
    ]);
    return rows[0];
  }

  async count(destinationId: string, state: string): Promise<number> {
    const { rows } = await this.pool.query(
      'select count(*)::int as count from deliveries where destination_id = $1 and state = $2',
      [destinationId, state],
    );
    return rows[0].count;
  }

  /** Waits until a delivery has this state. */
  async reaches(id: string, expected: object): Promise<void> {
    await until(async () => expect(await this.delivery(id)).toMatchObject(expected));
  }
}

export function until(check: () => unknown): Promise<void> {
  return vi.waitFor(async () => void (await check()), { timeout: 60_000, interval: 25 });
}
