import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import type { Rule, Verdicts } from '../../../src/alarms/rule.ts';
import { AlarmWatch, type AlarmWatchDeps } from '../../../src/alarms/watch.ts';
import { readRecentCounts } from '../../../src/db/alarms/facts/recent-counts.ts';
import { insertPerson } from '../../../src/db/people/people.ts';
import { inTransaction, openPool } from '../../../src/db/pool.ts';
import {
  type AlarmKind,
  alarmKinds,
  type Finding,
  instanceAlarmKinds,
} from '../../../src/domain/alarm/alarm.ts';
import { Mail } from '../../../src/mail/mail.ts';
import { Nodes } from '../../../src/relay/nodes.ts';
import { relayNotes, relayNotesOfNode } from '../../../src/relay/turn.ts';
import { minuteMs } from '../../../src/time/clock.ts';
import { systemRandomness } from '../../../src/time/randomness.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { type SmtpServer, startSmtp } from '../../support/smtp.ts';

/** Says what a test tells it to say. */
export class FakeRule implements Rule {
  readonly kinds = [...alarmKinds, ...instanceAlarmKinds.filter((kind) => kind !== 'watch_interrupted')];
  readonly everyMinutes: number;
  findings: Finding[] = [];
  over: Verdicts['over'] = [];
  /** Runs before it responds, and may reject. */
  meanwhile: () => Promise<void> = async () => {};
  judgements = 0;

  constructor(everyMinutes = 1) {
    this.everyMinutes = everyMinutes;
  }

  async judge(): Promise<Verdicts> {
    this.judgements++;
    await this.meanwhile();
    return { findings: this.findings, over: this.over };
  }
}

export interface StoredAlarm {
  readonly id: string;
  readonly kind: string;
  readonly severity: string;
  readonly closed_at: Date | null;
  readonly closed_as: string | null;
  readonly names: object;
  readonly evidence: object;
  readonly last_at: Date;
}

/** A database with a workspace, a mail server, and instances that judge by one rule. */
export class AlarmWorld {
  readonly clock = new SimulatedClock(Date.parse('2026-11-15T10:00:00Z'));
  readonly rule = new FakeRule();
  readonly pool: pg.Pool;
  readonly smtp: SmtpServer;
  readonly counted = { opened: [] as string[], emails: [] as string[], judged: 0 };
  workspaceId = '';
  formId = '';
  readonly #database: TestDatabase;
  readonly #mail: Mail;
  readonly #watches: AlarmWatch[] = [];

  static async create(): Promise<AlarmWorld> {
    return new AlarmWorld(await createTestDatabase(), await startSmtp());
  }

  private constructor(database: TestDatabase, smtp: SmtpServer) {
    this.#database = database;
    this.smtp = smtp;
    this.pool = openPool(database.url, 6, pino({ level: 'silent' }));
    this.#mail = new Mail({ url: smtp.url, from: 'Leadgate <leads@example.com>' }, pino({ level: 'silent' }));
  }

  async close(): Promise<void> {
    await this.reset();
    this.#mail.stop();
    await this.smtp.stop();
    await this.pool.end();
    await this.#database.drop();
  }

  /** Forgets all alarms, and starts with a new workspace. */
  async reset(): Promise<void> {
    for (const watch of this.#watches.splice(0)) await watch.stop();
    await this.pool.query('truncate alarms cascade');
    await this.pool.query('delete from alarm_notices');
    await this.pool.query(`update alarm_watch set instance_id = null, until = '-infinity', judged_at = null`);
    Object.assign(this.rule, { findings: [], over: [], judgements: 0, meanwhile: async () => {} });
    this.smtp.emails.length = 0;
    this.smtp.recipients.length = 0;
    this.smtp.behaviour.refusals.clear();
    this.smtp.behaviour.refuses = false;
    Object.assign(this.counted, { opened: [], emails: [], judged: 0 });
    this.workspaceId = randomUUID();
    this.formId = randomUUID();
    await this.pool.query(
      `insert into workspaces (id, name, status, created_at, revision) values ($1, 'Acme', 'active', now(), 1)`,
      [this.workspaceId],
    );
    await this.form(this.formId, 'Contact');
  }

  async form(id: string, name: string): Promise<string> {
    await this.pool.query(
      `insert into forms (workspace_id, id, name, slug, active, fields, replay_protection, created_at, revision)
       values ($2, $1, $3, $4, true, '[]', 'unkeyed', now(), 1)`,
      [id, this.workspaceId, name, `form-${id}`],
    );
    return id;
  }

  /** Returns the ID. */
  async person(email: string, { role = 'owner', operator = false } = {}): Promise<string> {
    const invitedBy = { kind: 'setup', id: null, name: null, email: null } as const;
    const name = email.split('@')[0] ?? '';
    const createdAt = new Date(this.clock.now());
    const { id } = await inTransaction(this.pool, (client) =>
      insertPerson(client, {
        name,
        email: `${randomUUID()}.${email}`,
        passwordHash: '',
        createdAt,
        invitedBy,
      }),
    );
    await this.pool.query('update people set email = $2, operator = $3 where id = $1', [id, email, operator]);
    if (!operator)
      await this.pool.query(
        'insert into memberships (workspace_id, person_id, role, created_at) values ($1, $2, $3, now())',
        [this.workspaceId, id, role],
      );
    return id;
  }

  async destination(events: readonly string[]): Promise<string> {
    const id = randomUUID();
    await this.pool.query(
      `insert into destinations (id, workspace_id, name, kind, status, events, filter, mapping, config,
         secret_ciphertext, send_when, wait_max_s, per_second, created_at, created_by, updated_at, updated_by)
       values ($1, $2, 'CRM', 'webhook', 'active', $3, '{"all":[]}', '[]', '{}', '', 'accepted', 0, 50,
         now(), 'x', now(), 'x')`,
      [id, this.workspaceId, events],
    );
    await this.pool.query('insert into destination_leases (destination_id) values ($1)', [id]);
    return id;
  }

  async settings(settings: object): Promise<void> {
    await this.pool.query(
      `insert into alarm_settings (workspace_id, settings, version, updated_at, updated_by)
       values ($1, $2, 1, now(), 'x') on conflict (workspace_id) do update set settings = excluded.settings`,
      [this.workspaceId, JSON.stringify(settings)],
    );
  }

  finding(values: Partial<Finding> = {}): Finding {
    return {
      workspaceId: this.workspaceId,
      kind: 'all_rejected' as AlarmKind,
      formId: this.formId,
      tokenId: null,
      destinationId: null,
      reason: null,
      severity: 'high',
      evidence: { rejected: 5 },
      ...values,
    };
  }

  watch(replaced: Partial<AlarmWatchDeps> = {}): AlarmWatch {
    const watch = new AlarmWatch({
      rhythms: { step: async () => {} },
      pool: this.pool,
      clock: this.clock,
      log: pino({ level: 'silent' }),
      nodes: new Nodes(this.pool, this.clock),
      randomness: systemRandomness,
      readCounts: readRecentCounts,
      rules: [this.rule],
      mail: this.#mail,
      publicUrl: () => 'https://leads.example',
      meter: {
        onJudged: () => void this.counted.judged++,
        onOpened: (kind) => void this.counted.opened.push(kind),
        onEmail: (outcome) => void this.counted.emails.push(outcome),
      },
      ...replaced,
    });
    this.#watches.push(watch);
    return watch;
  }

  /** Lets a time pass and judges at its end. */
  async later(watch: AlarmWatch, ms = minuteMs): Promise<void> {
    await this.clock.advance(ms);
    await watch.turn();
  }

  async alarms(): Promise<StoredAlarm[]> {
    const { rows } = await this.pool.query(
      'select * from alarms where workspace_id = $1 order by opened_at, id',
      [this.workspaceId],
    );
    return rows;
  }

  /** `what state`, in order. */
  async notices(): Promise<string[]> {
    const { rows } = await this.pool.query(
      'select what, state from alarm_notices where workspace_id = $1 order by at, id',
      [this.workspaceId],
    );
    return rows.map(({ what, state }) => `${what} ${state}`);
  }

  /** Turns notes into events, and returns all of the workspace. */
  async events(): Promise<{ type: string; data: { alarm: Record<string, unknown> } }[]> {
    const deps = { pool: this.pool, clock: this.clock, randomness: systemRandomness };
    const nodes = await new Nodes(this.pool, this.clock).all();
    if (nodes === null) while (await relayNotes(deps, 20));
    else for (const node of nodes) while (await relayNotesOfNode(deps, node, 20));
    const { rows } = await this.pool.query(
      'select type, data from lead_events where workspace_id = $1 order by id',
      [this.workspaceId],
    );
    return rows;
  }

  async eventTypes(): Promise<string[]> {
    return (await this.events()).map(({ type }) => type);
  }

  /** Of the emails that the mail server has. */
  messageIds(): string[] {
    return this.smtp.emails.map((email) => /^message-id: *(\S+)/im.exec(email)?.[1] ?? '');
  }
}
