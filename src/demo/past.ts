import type pg from 'pg';
import type { Api } from '../cli/api.ts';
import { exhaustDay } from '../db/ingest/rate-windows.ts';
import { submissionsPerMinuteMax } from '../domain/rate-window.ts';
import { dayMs, hourMs } from '../time/clock.ts';
import type { Random } from '../time/random.ts';
import { DemoAlarms } from './alarms/demo-alarms.ts';
import { type DemoForm, workspaces } from './cast.ts';
import { Changes, type DemoEvent } from './changes.ts';
import { makeLead } from './lead-maker.ts';
import { mishaps } from './mishaps.ts';
import type { PastClock } from './past-clock.ts';
import type { DemoSender } from './sender.ts';
import { type Stage, setStage } from './stage.ts';
import { Visits } from './visits.ts';

export interface PastDeps {
  readonly api: Api;
  readonly sender: DemoSender;
  readonly pool: pg.Pool;
  readonly clock: PastClock;
  readonly random: Random;
  /** The fraction of a month's leads to send, for tests: 1 is all of them. */
  readonly share: number;
  readonly onProgress: (done: number, total: number) => void;
}

const days = 30;
const momentsPerDay = 24;
const burstDaysAgo = 8;
const burstLeads = submissionsPerMinuteMax + 140;
const dayLimitDaysAgo = 6;
const atOnce = 50;

/** The minimum number of leads in the month: the usual ones, plus those of the mailing within the rate limit. */
export function leadsInMonth(share: number): number {
  const usual = workspaces.flatMap(({ forms }) => forms.map((form) => usualLeads(form, share)));
  return usual.reduce((sum, count) => sum + count, submissionsPerMinuteMax);
}

function usualLeads({ perDay, endedDaysAgo = 0 }: DemoForm, share: number): number {
  return Math.round(perDay * (days - endedDaysAgo) * share);
}

/** Plays a month event by event over normal HTTP; only the clock is simulated. */
export async function livePast(deps: PastDeps): Promise<Stage[]> {
  const { api, sender, clock, onProgress } = deps;
  const now = Date.now();
  clock.leapTo(now - days * dayMs - hourMs);
  // A sender always sends before the secret is set.
  const stages = await setStage(api, (bare) => sender.signed(bare, '{"name":"A first try"}'));
  const alarms = new DemoAlarms({ ...deps, now }, stages);
  const events = [
    ...usualEvents(stages, deps),
    ...mishapEvents(stages, deps),
    ...new Changes(api, sender, stages).events,
    ...new Visits(api, clock, deps.random, stages).events(deps.share),
    ...alarms.events,
    { daysAgo: burstDaysAgo, happen: () => burst(stages, deps) },
    { daysAgo: dayLimitDaysAgo, happen: () => reachDayLimit(stages, deps) },
  ].toSorted((a, b) => b.daysAgo - a.daysAgo);
  for (const [index, { daysAgo, happen }] of events.entries()) {
    // A clock shows whole milliseconds.
    clock.leapTo(Math.round(now - daysAgo * dayMs));
    await happen();
    onProgress(index + 1, events.length);
  }
  clock.leapToPresent();
  await alarms.raise();
  return stages;
}

/** More by day than by night, and more on some days than others. */
function usualEvents(stages: readonly Stage[], { sender, random, share }: PastDeps): DemoEvent[] {
  return stages.flatMap((stage) => {
    const times = Array.from({ length: usualLeads(stage.form, share) }, () =>
      roundedToMoment(timeOfLead(random, stage.form)),
    );
    return [...Map.groupBy(times, (time) => time)].map(([daysAgo, { length }]) => ({
      daysAgo,
      happen: async () => {
        await Promise.all(Array.from({ length }, () => sendUsual(stage, sender, random)));
      },
    }));
  });
}

/** Days ago; of two random times, the one closer to noon. */
function timeOfLead(random: Random, { endedDaysAgo = 0, quietDaysAgo = [0, 0] }: DemoForm): number {
  const chosen = random.integer(endedDaysAgo, days - 1);
  const [until, from] = quietDaysAgo;
  const day = chosen >= until && chosen < from ? chosen - until + from : chosen;
  const hours = [random.next(), random.next()].toSorted((a, b) => Math.abs(a - 0.5) - Math.abs(b - 0.5));
  return day + (hours[0] as number);
}

/** Sends leads of about the same hour together, so that the clock jumps less often. */
function roundedToMoment(daysAgo: number): number {
  return (Math.floor(daysAgo * momentsPerDay) + 0.5) / momentsPerDay;
}

function sendUsual(stage: Stage, sender: DemoSender, random: Random): Promise<void> {
  const body = JSON.stringify(makeLead(stage.form, random));
  return random.chance(0.6) ? sender.byToken(stage, body) : sender.signed(stage, body);
}

/** Each mistake once in the last day, so that every page shows it, and a few times before. */
function mishapEvents(stages: readonly Stage[], { sender, random }: PastDeps): DemoEvent[] {
  const open = stages.filter(({ form }) => form.endedDaysAgo === undefined);
  return Object.values(mishaps).flatMap((mishap) => {
    const times = [
      random.between(0.01, 0.9),
      ...Array.from({ length: 8 }, () => random.between(1, days - 1)),
    ];
    return times.map((daysAgo) => ({ daysAgo, happen: () => mishap(sender, random.pick(open)) }));
  });
}

/** A mailing goes out, and its replies exceed the limit per minute. */
async function burst(stages: readonly Stage[], { sender, random }: PastDeps): Promise<void> {
  const spring = stages.find(({ slug }) => slug === 'brightwater-spring') as Stage;
  for (let sent = 0; sent < burstLeads; sent += atOnce) {
    const leads = Array.from({ length: Math.min(atOnce, burstLeads - sent) }, () =>
      makeLead(spring.form, random),
    );
    await Promise.all(leads.map((lead) => sender.byToken(spring, JSON.stringify(lead))));
  }
}

/** Sending fifty thousand leads would take too long, so the daily count is set directly; the rest is real. */
async function reachDayLimit(stages: readonly Stage[], deps: PastDeps): Promise<void> {
  const partners = stages.find(({ slug }) => slug === 'harbor-partners') as Stage;
  // The day ends in a few minutes, and the limit is reset.
  const dayStartedAt = new Date(deps.clock.now() - dayMs + 5 * 60_000);
  await exhaustDay(deps.pool, partners.workspaceId, 'webhook', dayStartedAt);
  const lead = () => JSON.stringify(makeLead(partners.form, deps.random));
  await Promise.all(Array.from({ length: 12 }, () => deps.sender.signed(partners, lead())));
}
