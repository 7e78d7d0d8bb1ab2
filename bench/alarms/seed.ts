import type pg from 'pg';
import type { WatchedForm, WatchedToken, WatchedWorkspace } from '../../src/alarms/rule.ts';
import { defaultAlarmSettings } from '../../src/domain/alarm/settings.ts';
import { shardOf } from '../../src/domain/workspace.ts';

/** Half of the sources are forms whose requests are signed, half are tokens. */
const sourcesPerWorkspace = 10;
const rhythmWeeks = 8;
const historyDays = 30;

interface Source {
  readonly shard: number;
  readonly workspaceId: string;
  readonly formId: string;
  readonly tokenId: string | null;
}

const noToken = '00000000-0000-0000-0000-000000000000';

export interface Seeded {
  readonly workspaces: ReadonlyMap<string, WatchedWorkspace>;
  readonly sources: readonly Source[];
}

/** Sources that send a lead a minute, and have done so an hour a day for a month. */
export async function seedSources(pool: pg.Pool, count: number, now: Date): Promise<Seeded> {
  const workspaces = new Map<string, WatchedWorkspace>();
  const sources: Source[] = [];
  for (let first = 0; first < count; first += sourcesPerWorkspace) {
    const { workspace, made } = await seedWorkspace(pool, Math.min(sourcesPerWorkspace, count - first), now);
    workspaces.set(workspace.id, workspace);
    sources.push(...made);
  }
  await addCounts(pool, sources, 'accepted', { from: minutesBefore(now, 60), to: now, every: '1 minute' });
  // Day by day, so that no statement takes long.
  for (let day = 1; day <= historyDays; day++) {
    const range = {
      from: minutesBefore(now, day * 24 * 60),
      to: minutesBefore(now, (day - 1) * 24 * 60 + 61),
    };
    await addCounts(pool, sources, 'accepted', { ...range, every: '1 hour' });
  }
  await addRhythms(pool, sources, now);
  await pool.query('analyze');
  return { workspaces, sources };
}

async function seedWorkspace(pool: pg.Pool, count: number, now: Date) {
  const id = crypto.randomUUID();
  const forms = new Map<string, WatchedForm>();
  const tokens = new Map<string, WatchedToken>();
  const made: Source[] = [];
  await pool.query(`insert into workspaces (id, name, created_at, revision) values ($1, 'Bench', $2, 1)`, [
    id,
    now,
  ]);
  for (let number = 0; number < count; number++) {
    const form = { id: crypto.randomUUID(), name: 'Contact', slug: `contact-${number}`, isActive: true };
    forms.set(form.id, form);
    await pool.query(
      `insert into forms (id, workspace_id, name, slug, active, created_at, revision) values ($1, $2, $3, $4, true, $5, 1)`,
      [form.id, id, form.name, form.slug, now],
    );
    const token = number % 2 === 0 ? null : crypto.randomUUID();
    made.push({ shard: shardOf(id), workspaceId: id, formId: form.id, tokenId: token });
    if (token === null) continue;
    const times = { createdAt: now, expiresAt: null, revokedAt: null, lastUsedAt: now };
    tokens.set(token, { id: token, formId: form.id, name: 'Backend', ...times });
    await pool.query(
      `insert into tokens (id, workspace_id, form_id, name, type, hash, hint, created_at, last_used_at, revision)
       values ($1, $2, $3, 'Backend', 'server', uuid_send($1::uuid), '', $4, $4, 1)`,
      [token, id, form.id, now],
    );
  }
  const workspace: WatchedWorkspace = {
    ...{ id, name: 'Bench', isSuspended: false, settings: defaultAlarmSettings },
    ...{ forms, tokens },
  };
  return { workspace, made };
}

interface Range {
  readonly from: Date;
  readonly to: Date;
  readonly every: string;
}

/** One in each step of the range, of each source. */
export async function addCounts(
  pool: pg.Pool,
  sources: readonly Source[],
  outcome: string,
  { from, to, every }: Range,
  proven: number | null = null,
): Promise<void> {
  await pool.query(
    `insert into outcome_counts (shard, workspace_id, minute, surface, outcome, form_id, token_id, count, last_at, proven_count)
     select s.shard, s.workspace_id, date_trunc('minute', at), case s.token_id when '${noToken}' then 'webhook' else 'server' end,
       $1, s.form_id, s.token_id, 1, at, $2
     from unnest($3::smallint[], $4::uuid[], $5::uuid[], $6::uuid[]) as s (shard, workspace_id, form_id, token_id),
       generate_series($7::timestamptz, $8, $9::interval) as at
     on conflict do nothing`,
    [outcome, proven, ...columnsOf(sources), from, to, every],
  );
}

async function addRhythms(pool: pg.Pool, sources: readonly Source[], now: Date): Promise<void> {
  await pool.query(
    `insert into source_rhythms (shard, workspace_id, form_id, token_id, zone, expected, longest_gap, weeks, leads,
       last_accepted_at, scored_leads, spam_leads, computed_at)
     select s.shard, s.workspace_id, s.form_id, s.token_id, 'Europe/Berlin', array_fill(1::real, array[168]), 5, $5, 1344, $6,
       600, 30, $6
     from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[]) as s (shard, workspace_id, form_id, token_id)`,
    [...columnsOf(sources), rhythmWeeks, now],
  );
}

function columnsOf(sources: readonly Source[]) {
  return [
    sources.map(({ shard }) => shard),
    sources.map(({ workspaceId }) => workspaceId),
    sources.map(({ formId }) => formId),
    sources.map(({ tokenId }) => tokenId ?? noToken),
  ];
}

function minutesBefore(now: Date, minutes: number): Date {
  return new Date(now.getTime() - minutes * 60_000);
}
