import { setTimeout as sleep } from 'node:timers/promises';
import { submissionsPerMinuteMax } from '../../src/domain/rate-window.ts';
import { readStored } from '../check/stored.ts';
import type { Scenario, Stage } from '../scenario.ts';
import type { Instance } from '../world/instance.ts';
import { signal } from '../world/processes.ts';
import { untilQuiet } from '../world/quiet.ts';
import { Workers, workerSettings } from '../world/workers.ts';

/** Even on a slow machine, each kind of fault happens. */
const cyclesMin = 2;
const pollMs = 50;
/** A worker finishes its requests before it exits. */
const orphanMsMax = 20_000;
const adoptionSeconds = 180;
/** The limits are counted per minute. In less than that, a count starts once. */
const limitOutageMsMax = 50_000;

const spread = { freshShare: 0.5 };

/** One service with several processes. */
export const workerScenarios: readonly Scenario[] = [
  {
    name: 'worker kill',
    about: 'kill -9 of one of three workers, or of all but one',
    seconds: 120,
    traffic: spread,
    prepare: () => workerSettings(3),
    faults: repeated(3, async ({ random }, workers) => {
      const one = random.pick(workers.pids);
      await workers.kill(random.chance(0.5) ? [one] : workers.pids.filter((pid) => pid !== one));
    }),
  },
  {
    name: 'first worker kill',
    about: 'kill -9 of the worker that does everything, while the other keeps accepting leads',
    seconds: 60,
    traffic: spread,
    prepare: () => workerSettings(2),
    faults: repeated(2, async (_stage, workers) => {
      const { first } = workers;
      if (first !== undefined) await workers.kill([first]);
    }),
  },
  {
    name: 'supervisor kill',
    about: 'kill -9 of the supervisor: its workers must exit, and the service starts again',
    seconds: 60,
    traffic: spread,
    prepare: () => workerSettings(2),
    faults: repeated(2, async (stage, workers) => {
      const instance = stage.instances[0] as Instance;
      const orphans = workers.pids;
      await instance.kill();
      instance.start();
      const left = await untilGone(orphans);
      if (left > 0) stage.fault(`${left} workers did not exit within ${orphanMsMax} ms of their supervisor`);
    }),
  },
  {
    name: 'rolling restart',
    about: 'the workers are replaced one after the other',
    seconds: 60,
    traffic: spread,
    // A connection that waits for a worker when that closes the port is reset by most systems.
    goals: { acceptedShareMin: 0.999 },
    prepare: () => workerSettings(2),
    faults: repeated(2, (_stage, workers) => workers.replaceAll()),
  },
  {
    name: 'worker kill in outage',
    about: 'workers are killed while PostgreSQL is down, and while the spools that they left drain',
    seconds: 90,
    traffic: spread,
    adoptionSeconds,
    prepare: () => workerSettings(3),
    faults: async (stage) => {
      await sleep(stage.seconds * 100);
      await stage.postgres.kill();
      const returnsAt = Date.now() + stage.seconds * 600;
      await repeated(3, async ({ postgres, random }, workers) => {
        await workers.kill([random.pick(workers.pids)]);
        if (Date.now() > returnsAt) await postgres.start();
      })(stage);
    },
  },
  {
    name: 'limits in outage',
    about:
      'two workspaces exceed their rate limit while PostgreSQL is down; it applies to all workers together',
    senders: 2,
    // A lead with a key counts as unanswered if it is refused.
    traffic: { ...spread, serverShare: 1, keyedShare: 0, invalidShare: 0, largeShare: 0 },
    seconds: 75,
    prepare: () => workerSettings(2),
    faults: async (stage) => {
      const { postgres, seconds, instances } = stage;
      await new Workers(instances[0] as Instance, 2).complete();
      await sleep(seconds * 100);
      await postgres.kill();
      const from = Date.now();
      await sleep(Math.min(limitOutageMsMax, seconds * 700));
      const to = Date.now();
      await postgres.start();
      await untilQuiet(instances);
      await judgeLimit(stage, from, to);
    },
  },
];

/** Repeats a fault, each time when all workers accept requests. */
function repeated(count: number, fault: (stage: Stage, workers: Workers) => Promise<void>) {
  return async (stage: Stage) => {
    const workers = new Workers(stage.instances[0] as Instance, count);
    let cycle = 0;
    for (; cycle < cyclesMin || Date.now() < stage.endsAt; cycle++) {
      await workers.complete();
      await pause(stage);
      await fault(stage, workers);
    }
    await workers.complete();
    stage.note(`the fault was repeated ${cycle} times`);
  };
}

/** Returns how many of the processes are still there when the time is up. */
async function untilGone(pids: readonly number[]): Promise<number> {
  const left = () => pids.filter((pid) => signal(pid, 0)).length;
  for (const deadline = Date.now() + orphanMsMax; left() > 0 && Date.now() < deadline; ) await sleep(pollMs);
  return left();
}

async function judgeLimit(stage: Stage, from: number, to: number): Promise<void> {
  const stored = await readStored(stage.databaseUrl());
  const spooled = stored.filter(({ receivedAt }) => receivedAt >= from && receivedAt <= to);
  for (const { length } of Map.groupBy(spooled, ({ workspaceId }) => workspaceId).values()) {
    stage.note(
      `${length} leads of a workspace were accepted in ${Math.round((to - from) / 1000)} s of outage`,
    );
    if (length > submissionsPerMinuteMax)
      stage.fault(`${length} leads were accepted in a minute of outage; limit ${submissionsPerMinuteMax}`);
  }
}

/** Shorter runs have shorter pauses, so that they too see each fault several times. */
function pause({ random, seconds }: Stage): Promise<void> {
  return sleep(random.between(500, 5_000) * Math.min(1, seconds / 60));
}
