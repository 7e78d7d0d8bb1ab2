import type pg from 'pg';
import {
  type AcceptedQuarter,
  type AcceptedSource,
  listAcceptedQuarters,
  listAcceptedSources,
} from '../db/alarms/facts/accepted-leads.ts';
import { listSwitchings } from '../db/alarms/facts/pauses.ts';
import { listServiceTimes, toleratedPauseMs } from '../db/alarms/service-times.ts';
import {
  deleteOldRhythms,
  listLearntWorkspaces,
  type SourceRhythm,
  saveRhythms,
} from '../db/alarms/source-rhythms.ts';
import { listWatchedWorkspaces } from '../db/alarms/watched.ts';
import { alarmSettingsLimits } from '../domain/alarm/settings.ts';
import { gapsIn, type Interval, union } from '../domain/alarm/silence/interval.ts';
import { pausesOf } from '../domain/alarm/silence/pauses.ts';
import { type Arrivals, learnRhythm, rhythmMs } from '../domain/alarm/silence/rhythm.ts';
import { Zone } from '../domain/alarm/silence/zone.ts';
import { shardCount, shardOf } from '../domain/workspace.ts';
import { dayMs, hourMs, minuteMs } from '../time/clock.ts';

export interface RhythmsDeps {
  readonly pool: pg.Pool;
}

const freshMs = 20 * hourMs;
const scoredMs = 28 * dayMs;
/** As long as owners can ask to be told of a silence; what is older is of no use to anyone. */
export const rhythmKeptMs = (alarmSettingsLimits.silentDays + 1) * dayMs;
/** Of one statement. */
const quartersMax = 50_000;
/** So many can a source have. */
const quartersOfSource = rhythmMs / (15 * minuteMs);

interface Learnt {
  readonly zone: string;
  readonly at: number;
}

/** Learns once a day when each source of leads usually sends. One shard at a time, so that nobody notices. */
export class Rhythms {
  readonly #deps: RhythmsDeps;
  /** By workspace; also those without leads, which leave no row. */
  readonly #learnt = new Map<string, Learnt>();
  /** Those whose rows were read. */
  readonly #knownShards = new Set<number>();
  #zones: ReadonlyMap<string, string> = new Map();
  #shard = 0;

  constructor(deps: RhythmsDeps) {
    this.#deps = deps;
  }

  /** One pass over all shards. */
  async pass(now: number): Promise<void> {
    this.#shard = 0;
    for (let step = 0; step < shardCount; step++) await this.step(now);
  }

  /** Learns what is due in one shard. */
  async step(now: number, stopping?: AbortSignal): Promise<void> {
    const { pool } = this.#deps;
    const shard = this.#shard;
    // First: a node of a cluster that is down must not hold up the shards of the others.
    this.#shard = (shard + 1) % shardCount;
    if (shard === 0 || this.#zones.size === 0) await this.#readZones();
    if (!this.#knownShards.has(shard)) {
      for (const { workspaceId, zone, computedAt } of await listLearntWorkspaces(pool, shard))
        this.#learnt.set(workspaceId, { zone, at: computedAt.getTime() });
      this.#knownShards.add(shard);
    }
    const due = [...this.#zones].filter(([id, zone]) => shardOf(id) === shard && this.#isDue(id, zone, now));
    if (due.length === 0) return;
    const aways = await awaysBefore(pool, now);
    for (const [workspaceId, zone] of due) {
      if (stopping?.aborted) return;
      await this.#learn(workspaceId, zone, aways, now);
      this.#learnt.set(workspaceId, { zone, at: now });
    }
    await deleteOldRhythms(pool, shard, new Date(now - rhythmKeptMs));
  }

  async #readZones(): Promise<void> {
    const workspaces = await listWatchedWorkspaces(this.#deps.pool);
    this.#zones = new Map(workspaces.map(({ id, settings }) => [id, settings.timeZone]));
  }

  #isDue(workspaceId: string, zone: string, now: number): boolean {
    const learnt = this.#learnt.get(workspaceId);
    return learnt === undefined || learnt.zone !== zone || Math.abs(now - learnt.at) > freshMs;
  }

  async #learn(workspaceId: string, zone: string, aways: readonly Interval[], now: number): Promise<void> {
    const { pool } = this.#deps;
    const since = new Date(now - rhythmMs);
    const sources = await listAcceptedSources(pool, workspaceId, since, new Date(now - scoredMs));
    if (sources.length === 0) return;
    const switchings = await listSwitchings(pool, workspaceId, since);
    for (const some of inPortions(sources)) {
      const formIds = [...some.keys()];
      const quarters = await listAcceptedQuarters(pool, workspaceId, formIds, since);
      const ofForms = Map.groupBy(quarters, ({ formId }) => formId);
      const rhythms = [...some].flatMap(([formId, ofForm]) =>
        rhythmsOf(
          ofForm,
          ofForms.get(formId) ?? [],
          union([...aways, ...pausesOf(switchings, formId)]),
          zone,
        ),
      );
      const rows = rhythms.map((rhythm) => ({ ...rhythm, workspaceId, computedAt: new Date(now) }));
      await saveRhythms(pool, workspaceId, rows);
    }
  }
}

/**
 * When the service was unavailable. It may have been before the first time that is known, too, as during an upgrade: then it
 * came back at that time, so there is an interval without a length.
 */
export async function awaysBefore(pool: pg.Pool, now: number): Promise<Interval[]> {
  const served = await listServiceTimes(pool, new Date(now - rhythmKeptMs));
  const start = served.slice(0, 1).map(({ from }) => ({ from, to: from }));
  return [...start, ...gapsIn(served, now, toleratedPauseMs)];
}

/** The sources by form, in portions whose quarters fit in memory. */
function inPortions(sources: readonly AcceptedSource[]): Map<string, AcceptedSource[]>[] {
  const portions = [new Map<string, AcceptedSource[]>()];
  let quarters = 0;
  for (const [formId, ofForm] of Map.groupBy(sources, (source) => source.formId)) {
    const more = ofForm.reduce((sum, { leads }) => sum + Math.min(leads, quartersOfSource), 0);
    if (quarters > 0 && quarters + more > quartersMax) {
      portions.push(new Map());
      quarters = 0;
    }
    portions.at(-1)?.set(formId, ofForm);
    quarters += more;
  }
  return portions;
}

type NewRhythm = Omit<SourceRhythm, 'workspaceId' | 'computedAt'>;

/** Of the form, and of each of its tokens. */
function rhythmsOf(
  sources: readonly AcceptedSource[],
  quarters: readonly AcceptedQuarter[],
  aways: readonly Interval[],
  zone: string,
): NewRhythm[] {
  const learn = (
    tokenId: string | null,
    some: readonly AcceptedSource[],
    its: readonly AcceptedQuarter[],
  ) => {
    const rhythm = learnRhythm(arrivalsOf(its), Zone.of(zone), aways);
    const [source] = some;
    if (source === undefined || rhythm === null) return [];
    const sum = (of: (source: AcceptedSource) => number) => some.reduce((total, one) => total + of(one), 0);
    return [
      {
        formId: source.formId,
        tokenId,
        zone,
        ...rhythm,
        expected: Array.from(rhythm.expected),
        lastAcceptedAt: new Date(Math.max(...some.map(({ lastAt }) => lastAt.getTime()))),
        scoredLeads: sum(({ scoredLeads }) => scoredLeads),
        spamLeads: sum(({ spamLeads }) => spamLeads),
      },
    ];
  };
  const ofTokens = Map.groupBy(quarters, ({ tokenId }) => tokenId);
  return [
    ...learn(null, sources, quarters),
    ...sources.flatMap((source) =>
      source.tokenId === null ? [] : learn(source.tokenId, [source], ofTokens.get(source.tokenId) ?? []),
    ),
  ];
}

/** The first and the last minute of each quarter: shorter silences are never too long. */
function arrivalsOf(quarters: readonly AcceptedQuarter[]): Arrivals {
  const counts = new Map<number, number>();
  const add = (minute: number, leads: number) => counts.set(minute, (counts.get(minute) ?? 0) + leads);
  for (const { first, last, leads } of quarters) {
    add(first, first === last ? leads : 1);
    if (first !== last) add(last, leads - 1);
  }
  const minutes = [...counts.keys()].toSorted((a, b) => a - b);
  return {
    at: minutes.map((minute) => minute * minuteMs),
    counts: minutes.map((minute) => counts.get(minute) ?? 0),
  };
}
