import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type {
  Judgement,
  RecentCounts,
  Rule,
  WatchedForm,
  WatchedToken,
  WatchedWorkspace,
} from '../../../src/alarms/rule.ts';
import { readRecentCounts } from '../../../src/db/alarms/facts/recent-counts.ts';
import { type AuditRecord, insertAudit } from '../../../src/db/workspaces/audit-log.ts';
import { type Alarm, type AnyAlarmKind, subjectKey } from '../../../src/domain/alarm/alarm.ts';
import { type AlarmRule, defaultAlarmSettings } from '../../../src/domain/alarm/settings.ts';
import type { Surface } from '../../../src/domain/surface.ts';
import { shardCount, shardOf } from '../../../src/domain/workspace.ts';
import { minuteMs } from '../../../src/time/clock.ts';
import { createTestDatabase, openTestPool } from '../../support/database/database.ts';

const noToken = '00000000-0000-0000-0000-000000000000';
const allShards = Array.from({ length: shardCount }, (_, shard) => shard);

export interface Source {
  readonly workspaceId: string;
  readonly formId: string;
  readonly tokenId: string | null;
  readonly surface: Surface;
}

interface MutableWorkspace extends WatchedWorkspace {
  readonly forms: Map<string, WatchedForm>;
  readonly tokens: Map<string, WatchedToken>;
}

/** Counts that were written, and what rules say about them: a database, a clock, and what the engine does with verdicts. */
export class RulesWorld {
  readonly pool: pg.Pool;
  readonly #drop: () => Promise<void>;
  readonly workspaces = new Map<string, MutableWorkspace>();
  now = new Date('2026-11-16T12:00:00.000Z');
  open: Alarm[] = [];
  readonly closed: Alarm[] = [];

  private constructor(pool: pg.Pool, drop: () => Promise<void>) {
    this.pool = pool;
    this.#drop = drop;
  }

  static async create(): Promise<RulesWorld> {
    const database = await createTestDatabase();
    return new RulesWorld(openTestPool(database.url), database.drop);
  }

  async end(): Promise<void> {
    await this.pool.end();
    await this.#drop();
  }

  /** Forgets workspaces and alarms, so that tests of one file do not see those of others. */
  reset(): void {
    this.workspaces.clear();
    this.open = [];
    this.closed.length = 0;
    this.now = new Date('2026-11-16T12:00:00.000Z');
  }

  pass(minutes: number): void {
    this.now = new Date(this.now.getTime() + minutes * minuteMs);
  }

  ago(minutes: number): Date {
    return new Date(this.now.getTime() - minutes * minuteMs);
  }

  /** A workspace with a form that accepts signed requests. */
  async createForm(changes: Partial<WatchedWorkspace> = {}): Promise<Source> {
    const [workspaceId, formId] = [randomUUID(), randomUUID()];
    const form = { id: formId, name: 'Contact', slug: `contact-${formId}`, isActive: true };
    await this.pool.query(
      `insert into workspaces (id, name, created_at, revision) values ($1, 'Acme', now(), 1)`,
      [workspaceId],
    );
    await this.pool.query(
      `insert into forms (id, workspace_id, name, slug, active, created_at, revision) values ($1, $2, $3, $4, true, now(), 1)`,
      [formId, workspaceId, form.name, form.slug],
    );
    this.workspaces.set(workspaceId, {
      ...{ id: workspaceId, name: 'Acme', isSuspended: false, settings: defaultAlarmSettings },
      ...changes,
      forms: new Map([[formId, form]]),
      tokens: new Map(),
    });
    return { workspaceId, formId, tokenId: null, surface: 'webhook' };
  }

  async createToken(changes: Partial<WatchedToken> = {}, of?: Source): Promise<Source> {
    const { workspaceId, formId } = of ?? (await this.createForm());
    const token = {
      id: randomUUID(),
      formId,
      name: 'Backend',
      createdAt: this.ago(90 * 24 * 60),
      ...noTimes,
      ...changes,
    };
    await this.pool.query(
      `insert into tokens (id, workspace_id, form_id, name, type, hash, hint, created_at, expires_at, revoked_at, last_used_at, revision)
       values ($1, $2, $3, $4, 'server', $5, '', $6, $7, $8, $9, 1)`,
      [
        token.id,
        workspaceId,
        formId,
        token.name,
        randomBytes(32),
        token.createdAt,
        token.expiresAt,
        token.revokedAt,
        token.lastUsedAt,
      ],
    );
    this.workspaces.get(workspaceId)?.tokens.set(token.id, token);
    return { workspaceId, formId, tokenId: token.id, surface: 'server' };
  }

  changeToken({ workspaceId, tokenId }: Source, changes: Partial<WatchedToken>): void {
    const tokens = this.workspaces.get(workspaceId)?.tokens;
    const token = tokens?.get(tokenId ?? '');
    if (token !== undefined) tokens?.set(token.id, { ...token, ...changes });
  }

  suspend(workspaceId: string, isSuspended = true): void {
    const workspace = this.workspaces.get(workspaceId);
    if (workspace !== undefined) this.workspaces.set(workspaceId, { ...workspace, isSuspended });
  }

  setRule(workspaceId: string, rule: Pick<AlarmRule, 'kind' | 'isEnabled'>): void {
    const workspace = this.workspaces.get(workspaceId);
    if (workspace === undefined) return;
    const rules = [
      { formId: null, tokenId: null, mutedUntil: null, isSensitive: false, silentDays: null, ...rule },
    ];
    this.workspaces.set(workspaceId, { ...workspace, settings: { ...workspace.settings, rules } });
  }

  /** As the diagnostics write it: `proven` of the rejected ones had proven who they are. */
  async count(
    { workspaceId, formId, tokenId, surface }: Source,
    outcome: string,
    count: number,
    { minutesAgo = 0, proven = null, at }: { minutesAgo?: number; proven?: number | null; at?: Date } = {},
  ): Promise<void> {
    const lastAt = at ?? this.ago(minutesAgo);
    await this.pool.query(
      `insert into outcome_counts as c
         (shard, workspace_id, minute, surface, outcome, form_id, token_id, count, last_at, proven_count)
       values ($1, $2, date_trunc('minute', $3::timestamptz), $4, $5, $6, $7, $8, $3, $9)
       on conflict (shard, workspace_id, minute, surface, outcome, form_id, token_id) do update
         set count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at),
           proven_count = c.proven_count + excluded.proven_count`,
      [
        shardOf(workspaceId),
        workspaceId,
        lastAt,
        surface,
        outcome,
        formId,
        tokenId ?? noToken,
        count,
        proven,
      ],
    );
    if (outcome === 'accepted' && tokenId !== null)
      this.changeToken({ workspaceId, formId, tokenId, surface }, { lastUsedAt: lastAt });
  }

  rejected(source: Source, reason: string, count: number, minutesAgo = 0): Promise<void> {
    return this.count(source, reason, count, { minutesAgo, proven: count });
  }

  forged(source: Source, reason: string, count: number, minutesAgo = 0): Promise<void> {
    return this.count(source, reason, count, { minutesAgo, proven: 0 });
  }

  accepted(source: Source, count: number, minutesAgo = 0): Promise<void> {
    return this.count(source, 'accepted', count, { minutesAgo });
  }

  async changed(source: Source, action: string, more: Partial<AuditRecord> = {}): Promise<void> {
    const target = {
      form_id: source.formId,
      ...(source.tokenId === null ? {} : { token_id: source.tokenId }),
    };
    await insertAudit(this.pool, {
      ...{ id: randomUUID(), workspaceId: source.workspaceId, at: this.now, action, target, changes: {} },
      ...{ actorKind: 'person', actorId: null, actorName: 'Ada', completed: true },
      ...{ byOperator: false, address: null, times: 1 },
      ...more,
    });
  }

  async judgement(kinds: readonly AnyAlarmKind[], pool = this.pool): Promise<Judgement> {
    const counts: RecentCounts[] = await readRecentCounts(pool, allShards, this.now);
    const open = this.open.filter(({ kind }) => kinds.includes(kind));
    return {
      ...{ now: this.now, pool, workspaces: this.workspaces, shardGroups: [allShards] },
      ...{ open, allOpen: this.open, counts },
    };
  }

  /** Judges, and does with the verdicts what the engine does. */
  async judge(rule: Rule): Promise<Alarm[]> {
    const { findings, over } = await rule.judge(await this.judgement(rule.kinds));
    for (const { alarmId, as } of over) {
      const alarm = this.open.find(({ id }) => id === alarmId);
      if (alarm === undefined) throw new Error('an alarm ended that is not open');
      this.open = this.open.filter((one) => one !== alarm);
      this.closed.push({ ...alarm, closedAt: this.now, closedAs: as });
    }
    const keys = findings.map(subjectKey);
    if (new Set(keys).size < keys.length) throw new Error('the same was found twice');
    for (const finding of findings) {
      const known = this.open.find((alarm) => subjectKey(alarm) === subjectKey(finding));
      this.open = this.open.filter((alarm) => alarm !== known);
      const { severity, evidence } = JSON.parse(JSON.stringify(finding));
      this.open.push(
        known === undefined
          ? { ...finding, ...newAlarm, id: randomUUID(), evidence, openedAt: this.now, lastAt: this.now }
          : { ...known, severity, evidence, lastAt: this.now },
      );
    }
    return this.open;
  }

  /** What is open, in short: kind, severity and reason. */
  get told(): string[] {
    return this.open
      .map(({ kind, severity, reason }) => [kind, severity, reason].filter(Boolean).join(' '))
      .toSorted();
  }
}

const noTimes = { expiresAt: null, revokedAt: null, lastUsedAt: null };
const newAlarm = {
  ...{ names: {}, closedAt: null, closedAs: null, acknowledgedAt: null, acknowledgedBy: null, reminders: 0 },
};
