import type pg from 'pg';
import type { Judgement, RecentCounts, Rule } from '../../../src/alarms/rule.ts';
import { applyFlush, type OutcomeCount, type OutcomeFlush } from '../../../src/db/diagnostics/outcomes.ts';
import { type Alarm, type AlarmEnd, subjectKey } from '../../../src/domain/alarm/alarm.ts';
import { bucketOf, noDrifts } from '../../../src/domain/alarm/drift/drift-buckets.ts';
import { type AlarmSettings, defaultAlarmSettings } from '../../../src/domain/alarm/settings.ts';
import type { Surface } from '../../../src/domain/surface.ts';
import { shardCount, shardOf } from '../../../src/domain/workspace.ts';
import { minuteMs } from '../../../src/time/clock.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../support/database/database.ts';

const noToken = '00000000-0000-0000-0000-000000000000';

export interface JudgedForm {
  readonly workspaceId: string;
  readonly formId: string;
}

export interface SomeLeads {
  readonly count: number;
  readonly keys: readonly string[];
  readonly surface?: Surface;
  readonly verdict?: 'clean' | 'suspect' | 'spam';
  /** Between two of them. */
  readonly everyMinutes?: number;
  /** Instead of a text under each key. */
  readonly fields?: object;
}

/** A database with leads and counts, the time, and the alarms of one rule that was asked about them. */
export class JudgedWorld {
  readonly pool: pg.Pool;
  readonly #database: TestDatabase;
  #now = Date.UTC(2026, 5, 1, 12);
  #forms: JudgedForm[] = [];
  #flushes = 0;
  open: Alarm[] = [];
  closed: AlarmEnd[] = [];
  settings: AlarmSettings = defaultAlarmSettings;
  isSuspended = false;

  private constructor(database: TestDatabase) {
    this.#database = database;
    this.pool = openTestPool(database.url);
  }

  static async create(): Promise<JudgedWorld> {
    return new JudgedWorld(await createTestDatabase());
  }

  async end(): Promise<void> {
    await this.pool.end();
    await this.#database.drop();
  }

  /** Only forms that are created from now on are judged. */
  reset(): void {
    this.#forms = [];
    this.open = [];
    this.closed = [];
    this.settings = defaultAlarmSettings;
    this.isSuspended = false;
  }

  get now(): Date {
    return new Date(this.#now);
  }

  pass(minutes: number): void {
    this.#now += minutes * minuteMs;
  }

  form(): JudgedForm {
    const form = { workspaceId: crypto.randomUUID(), formId: crypto.randomUUID() };
    this.#forms.push(form);
    return form;
  }

  /** Severity and reason of the open alarms. */
  get told(): string[] {
    return this.open
      .map(({ severity, reason }) => (reason === null ? severity : `${severity} ${reason}`))
      .toSorted();
  }

  async judge(rule: Rule): Promise<void> {
    const { findings, over } = await rule.judge(await this.#judgement());
    for (const finding of findings) {
      const known = this.open.find((alarm) => subjectKey(alarm) === subjectKey(finding));
      const alarm = known ?? { id: crypto.randomUUID(), openedAt: this.now, ...unknown };
      this.open = [
        ...this.open.filter((other) => other !== known),
        { ...alarm, ...finding, lastAt: this.now },
      ];
    }
    for (const { alarmId, as } of over) {
      this.open = this.open.filter(({ id }) => id !== alarmId);
      this.closed.push(as);
    }
  }

  async #judgement(): Promise<Judgement> {
    const watched = this.#forms.map(({ workspaceId, formId }) => {
      const form = { id: formId, name: 'Contact', slug: formId, isActive: true };
      const { isSuspended, settings } = this;
      const whole = { id: workspaceId, name: 'Ours', isSuspended, settings, tokens: new Map() };
      return [workspaceId, { ...whole, forms: new Map([[formId, form]]) }] as const;
    });
    return {
      now: this.now,
      pool: this.pool,
      workspaces: new Map(watched),
      shardGroups: [Array.from({ length: shardCount }, (_, shard) => shard)],
      open: this.open,
      allOpen: this.open,
      counts: await this.#counts(),
    };
  }

  async #counts(): Promise<RecentCounts[]> {
    const { rows } = await this.pool.query(
      `select workspace_id, form_id, token_id, surface, outcome, sum(count)::int as count,
         coalesce(sum(proven_count), 0)::int as proven, coalesce(sum(spam_count), 0)::int as spam, max(last_at) as last_at
       from outcome_counts where minute >= $1 and workspace_id = any ($2) group by 1, 2, 3, 4, 5`,
      [new Date(this.#now - 60 * minuteMs), this.#forms.map(({ workspaceId }) => workspaceId)],
    );
    return rows.map(({ count, proven, spam, ...row }) => ({
      workspaceId: row.workspace_id,
      formId: row.form_id,
      tokenId: row.token_id === noToken ? null : row.token_id,
      surface: row.surface,
      outcome: row.outcome,
      lastAt: row.last_at,
      in10Minutes: { count, proven, spam },
      in30Minutes: { count, proven, spam },
      in60Minutes: { count, proven, spam },
    }));
  }

  /** Counted in the present minute. */
  async counted(
    form: JudgedForm,
    counts: { count: number; spam?: number; surface?: Surface },
  ): Promise<void> {
    const { count, spam = 0, surface = 'webhook' } = counts;
    const at = { minute: this.#minute, lastAt: this.#minute };
    const row: OutcomeCount = {
      ...{ ...form, ...at, shard: shardOf(form.workspaceId), surface, outcome: 'accepted', tokenId: noToken },
      ...{ count, proven: 0, spam },
    };
    await this.#flush({ counts: [row] });
  }

  /** Correctly signed requests of the present minute, by how long ago they were signed. */
  async signed(form: JudgedForm, ...seconds: number[]): Promise<void> {
    const buckets = noDrifts();
    for (const drift of seconds) buckets[bucketOf(drift)] = (buckets[bucketOf(drift)] ?? 0) + 1;
    const row = { ...form, shard: shardOf(form.workspaceId), minute: this.#minute, buckets };
    await this.#flush({ clockDrifts: [row] });
  }

  get #minute(): string {
    return new Date(this.#now - (this.#now % minuteMs)).toISOString();
  }

  async #flush(parts: Partial<OutcomeFlush>): Promise<void> {
    const none = {
      counts: [],
      entries: [],
      unattributedRequests: [],
      notes: [],
      unattributed: [],
      tokensUsed: [],
      formUses: [],
    };
    const flush = { ...none, formerSecretUses: [], clockDrifts: [], handlingTimes: [], ...parts };
    await applyFlush(this.pool, crypto.randomUUID(), ++this.#flushes, this.#now, flush);
  }

  /** What part A learns at night. */
  async rhythm(
    form: JudgedForm,
    of: { leads?: number; weeks?: number; scored?: number; spam?: number },
  ): Promise<void> {
    const { leads = 0, weeks = 8, scored = 0, spam = 0 } = of;
    await this.pool.query(
      `insert into source_rhythms (shard, workspace_id, form_id, token_id, zone, expected, longest_gap, weeks, leads,
         scored_leads, spam_leads, computed_at)
       values ($1, $2, $3, $4, 'UTC', '{}', 1, $5, $6, $7, $8, $9)`,
      [
        ...[shardOf(form.workspaceId), form.workspaceId, form.formId, noToken],
        ...[weeks, leads, scored, spam, this.now],
      ],
    );
  }

  /** Leads that end now, or so much later than the ones before. They are counted as well. */
  async received(form: JudgedForm, leads: SomeLeads): Promise<void> {
    const { count, keys, surface = 'webhook', verdict = 'clean', everyMinutes = 0.01 } = leads;
    const from = this.#now;
    this.pass(count * everyMinutes);
    const fields = leads.fields ?? Object.fromEntries(keys.map((key) => [key, 'a text']));
    await this.pool.query(
      `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
         grade, verdict, reasons, ruleset)
       select $1, $2, gen_random_uuid(), $3, $4, $5::timestamptz + n * $6::float8 * interval '1 minute', '', $7, 50, 0, 'C',
         $8, '[]', 'none' from generate_series(0, $9::int - 1) as n`,
      [
        ...[shardOf(form.workspaceId), form.workspaceId, form.formId, surface, new Date(from), everyMinutes],
        ...[JSON.stringify(fields), verdict, count],
      ],
    );
    await this.counted(form, { count, surface, spam: verdict === 'spam' ? count : 0 });
  }
}

const unknown = {
  names: {},
  closedAt: null,
  closedAs: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  reminders: 0,
} as const;
