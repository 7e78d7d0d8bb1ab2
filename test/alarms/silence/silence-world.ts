import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { Rhythms } from '../../../src/alarms/rhythms.ts';
import type { Judgement, Verdicts, WatchedToken, WatchedWorkspace } from '../../../src/alarms/rule.ts';
import { silenceRule } from '../../../src/alarms/rules/silence.ts';
import { readRecentCounts } from '../../../src/db/alarms/facts/recent-counts.ts';
import { noteService } from '../../../src/db/alarms/service-times.ts';
import type { Alarm } from '../../../src/domain/alarm/alarm.ts';
import { type AlarmSettings, defaultAlarmSettings } from '../../../src/domain/alarm/settings.ts';
import { shardCount, shardOf } from '../../../src/domain/workspace.ts';
import { minuteMs } from '../../../src/time/clock.ts';

const nobody = '00000000-0000-0000-0000-000000000000';
const allShards = Array.from({ length: shardCount }, (_, shard) => shard);

export interface Source {
  readonly workspaceId: string;
  readonly formId: string;
  readonly tokenId: string | null;
}

/** A database with counts of leads, and the rule that judges them. No service runs: time is what the test says. */
export class SilenceWorld {
  readonly pool: pg.Pool;
  readonly workspaces = new Map<string, WatchedWorkspace>();
  rhythms: Rhythms;
  rule = silenceRule();
  open: Alarm[] = [];

  constructor(pool: pg.Pool) {
    this.pool = pool;
    this.rhythms = this.newRhythms();
  }

  newRhythms(): Rhythms {
    return new Rhythms({ pool: this.pool });
  }

  /** As after a restart: nothing is remembered. */
  restart(): void {
    this.rule = silenceRule();
    this.rhythms = this.newRhythms();
  }

  async source(): Promise<Source> {
    const workspaceId = randomUUID();
    await this.pool.query(
      `insert into workspaces (id, name, created_at, revision) values ($1, 'Acme', now(), 0)`,
      [workspaceId],
    );
    const formId = randomUUID();
    const form = { id: formId, name: 'Contact', slug: 'contact', isActive: true };
    this.workspaces.set(workspaceId, {
      id: workspaceId,
      name: 'Acme',
      isSuspended: false,
      settings: defaultAlarmSettings,
      forms: new Map([[formId, form]]),
      tokens: new Map(),
    });
    return { workspaceId, formId, tokenId: null };
  }

  /** Another token of the form. */
  token(source: Source): Source {
    const tokenId = randomUUID();
    const workspace = this.#workspace(source);
    const token: WatchedToken = {
      id: tokenId,
      formId: source.formId,
      name: 'Backend',
      ...{ createdAt: new Date(0), expiresAt: null, revokedAt: null, lastUsedAt: null },
    };
    this.change(source, { tokens: new Map([...workspace.tokens, [tokenId, token]]) });
    return { ...source, tokenId };
  }

  change({ workspaceId }: Source, changes: Partial<WatchedWorkspace>): void {
    this.workspaces.set(workspaceId, { ...this.#workspace({ workspaceId }), ...changes });
  }

  /** Also for the rhythms, which read them from the table. */
  async set(source: Source, settings: Partial<AlarmSettings>): Promise<void> {
    const all = { ...defaultAlarmSettings, ...settings };
    this.change(source, { settings: all });
    await this.pool.query(
      `insert into alarm_settings (workspace_id, settings, version, updated_at, updated_by)
       values ($1, $2, 1, now(), 'Ada')
       on conflict (workspace_id) do update set settings = excluded.settings`,
      [source.workspaceId, JSON.stringify(all)],
    );
  }

  activate(source: Source, isActive: boolean): void {
    const { forms } = this.#workspace(source);
    const form = forms.get(source.formId);
    if (form === undefined) throw new Error('no such form');
    this.change(source, { forms: new Map([[form.id, { ...form, isActive }]]) });
  }

  async leads({ workspaceId, formId, tokenId }: Source, times: readonly number[]): Promise<void> {
    await this.pool.query(
      `insert into outcome_counts (shard, workspace_id, minute, surface, outcome, form_id, token_id, count, last_at, spam_count)
       select $1, $2, to_timestamp(at / 1000), $3, 'accepted', $4, $5, 1, to_timestamp(at / 1000), 0
       from unnest($6::float8[]) as at`,
      [
        ...[shardOf(workspaceId), workspaceId, tokenId === null ? 'webhook' : 'server'],
        ...[formId, tokenId ?? nobody, times],
      ],
    );
  }

  /** The service ran between two times. */
  async served(from: number, to: number): Promise<void> {
    await noteService(this.pool, new Date(from));
    await this.pool.query(
      'update service_times set until_at = $1 where started_at = (select max(started_at) from service_times)',
      [new Date(to)],
    );
  }

  async judge(now: number): Promise<Verdicts> {
    await noteService(this.pool, new Date(now));
    return this.judgeOnly(now);
  }

  async judgeOnly(now: number): Promise<Verdicts> {
    const at = new Date(now);
    const judgement: Judgement = {
      now: at,
      pool: this.pool,
      workspaces: this.workspaces,
      shardGroups: [allShards],
      open: this.open,
      allOpen: this.open,
      counts: await readRecentCounts(this.pool, allShards, at),
    };
    return this.rule.judge(judgement);
  }

  /** Opens what was found, as the engine does. */
  openAll({ findings }: Verdicts, now: number): void {
    this.open = findings.map((finding) => ({
      ...finding,
      id: randomUUID(),
      names: {},
      ...{ openedAt: new Date(now), lastAt: new Date(now), closedAt: null, closedAs: null },
      ...{ acknowledgedAt: null, acknowledgedBy: null, reminders: 0 },
    }));
  }

  #workspace({ workspaceId }: Pick<Source, 'workspaceId'>): WatchedWorkspace {
    const workspace = this.workspaces.get(workspaceId);
    if (workspace === undefined) throw new Error('no such workspace');
    return workspace;
  }
}

/** Every so many minutes. */
export function every(minutes: number, from: number, to: number): number[] {
  const times: number[] = [];
  for (let at = from; at < to; at += minutes * minuteMs) times.push(at);
  return times;
}
