import type pg from 'pg';
import type { Logger } from 'pino';
import { listOpenAlarms } from '../db/alarms/alarms.ts';
import { listWatchedForms, listWatchedTokens, listWatchedWorkspaces } from '../db/alarms/watched.ts';
import type { Alarm, Finding } from '../domain/alarm/alarm.ts';
import { shardCount, shardOf } from '../domain/workspace.ts';
import type { Nodes } from '../relay/nodes.ts';
import { type Clock, dayMs, minuteMs } from '../time/clock.ts';
import { within } from '../time/within.ts';
import type { Judgement, Over, RecentCounts, Rule, Verdicts, WatchedWorkspace } from './rule.ts';

type ReadCounts = (pool: pg.Pool, shards: readonly number[], now: Date) => Promise<readonly RecentCounts[]>;

export interface JudgeDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly nodes: Pick<Nodes, 'all'>;
  readonly readCounts: ReadCounts;
  readonly rules: readonly Rule[];
}

/** What all rules together say. */
export interface Judged extends Verdicts {
  readonly now: Date;
  readonly workspaces: Judgement['workspaces'];
  readonly open: readonly Alarm[];
}

// Rejections of tokens that ended can be wrong for some days.
const tokensWatchedMs = 30 * dayMs;
// One that hangs must not hold up the others.
const ruleMsMax = minuteMs;
// A turn is never exactly a minute after the last one.
const toleranceMs = minuteMs / 2;
const allShards = Array.from({ length: shardCount }, (_, shard) => shard);

/** Asks the rules. */
export class Judge {
  readonly #deps: JudgeDeps;
  /** When each was last judged. */
  readonly #judgedAt = new Map<Rule, number>();

  constructor(deps: JudgeDeps) {
    this.#deps = deps;
  }

  async judge(): Promise<Judged> {
    const { pool, clock } = this.#deps;
    const now = new Date(clock.now());
    const known = await this.#readCounts(now);
    const shards = new Set(known.flatMap((group) => group.shards));
    const workspaces = await readWorkspaces(pool, now, (id) => shards.has(shardOf(id)));
    const open = (await listOpenAlarms(pool)).filter(
      ({ workspaceId }) => workspaceId === null || workspaces.has(workspaceId),
    );
    const judgement = {
      now,
      pool,
      workspaces,
      shardGroups: known.map((group) => group.shards),
      allOpen: open.filter(({ workspaceId }) => workspaceId !== null),
      counts: known.flatMap(({ counts }) => counts).filter(({ workspaceId }) => workspaces.has(workspaceId)),
    };
    const findings: Finding[] = [];
    const over: Over[] = [];
    for (const rule of this.#due(now)) {
      const ofRule = open.filter(({ kind }) => rule.kinds.includes(kind));
      const verdicts = await this.#ask(rule, { ...judgement, open: ofRule });
      findings.push(...verdicts.findings);
      over.push(...verdicts.over);
    }
    const isKnown = ({ workspaceId }: Finding) => workspaceId === null || workspaces.has(workspaceId);
    return { now, workspaces, open, findings: findings.filter(isKnown), over };
  }

  #due(now: Date): readonly Rule[] {
    return this.#deps.rules.filter((rule) => {
      const last = this.#judgedAt.get(rule) ?? Number.NEGATIVE_INFINITY;
      // A clock that was set back must not make a rule wait until it has caught up.
      return Math.abs(now.getTime() - last) >= rule.everyMinutes * minuteMs - toleranceMs;
    });
  }

  /** The counts of each node that responds. Nothing is known about the others, and unknown is not zero. */
  async #readCounts(now: Date) {
    const { pool, nodes, readCounts, log } = this.#deps;
    const groups = (await nodes.all())?.map(({ shards }) => shards) ?? [allShards];
    const read = await Promise.all(
      groups.map(async (shards) => {
        try {
          return [{ shards, counts: await readCounts(pool, shards, now) }];
        } catch (err) {
          log.warn({ err, shards: shards.length }, 'counts not read; their workspaces are not judged');
          return [];
        }
      }),
    );
    return read.flat();
  }

  async #ask(rule: Rule, judgement: Judgement): Promise<Verdicts> {
    const { clock, log } = this.#deps;
    try {
      const verdicts = await within(clock, ruleMsMax, rule.judge(judgement));
      this.#judgedAt.set(rule, judgement.now.getTime());
      return verdicts;
    } catch (err) {
      log.warn({ err, kinds: rule.kinds }, 'alarms not judged; they stay as they are');
      return { findings: [], over: [] };
    }
  }
}

/** Those that are known. */
async function readWorkspaces(
  pool: pg.Pool,
  now: Date,
  isKnown: (id: string) => boolean,
): Promise<ReadonlyMap<string, WatchedWorkspace>> {
  const rows = (await listWatchedWorkspaces(pool)).filter(({ id }) => isKnown(id));
  const forms = Map.groupBy(await listWatchedForms(pool), ({ workspaceId }) => workspaceId);
  const tokens = Map.groupBy(
    await listWatchedTokens(pool, new Date(now.getTime() - tokensWatchedMs)),
    ({ workspaceId }) => workspaceId,
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { ...row, forms: byId(forms.get(row.id) ?? []), tokens: byId(tokens.get(row.id) ?? []) },
    ]),
  );
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
