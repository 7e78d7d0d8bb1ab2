import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { undoLater } from '../../bench/undo.ts';
import type { Scenario } from '../scenario.ts';
import type { Instance } from '../world/instance.ts';

// Small enough to fill up within seconds even at a low rate.
const diskBytes = 8 * 1024 * 1024;
// A backlog may have drained, or PostgreSQL may be late, before the time is up.
const killsMin = 3;
const readyMsMax = 120_000;

/** Faults of the spool. */
export const spoolScenarios: readonly Scenario[] = [
  {
    name: 'disk full',
    about: 'PostgreSQL is down until the disk of the spool is full, and for a while longer',
    traffic: { largeShare: 1, largeBytes: [65_536, 131_072] },
    rateShare: 0.5,
    rateMax: 60,
    seconds: 60,
    prepare: smallDisk,
    faults: async ({ postgres, seconds }) => {
      await sleep(seconds * 100);
      await postgres.kill();
      await sleep(seconds * 600);
      await postgres.start();
      await sleep(seconds * 300);
    },
  },
  {
    name: 'restart in drain',
    about: 'kill -9 of the service, and once of PostgreSQL, while the backlog of an outage drains',
    seconds: 90,
    faults: async (stage) => {
      const { postgres, random, seconds } = stage;
      const instance = stage.instances[0] as Instance;
      await postgres.kill();
      await sleep(seconds * 500);
      await postgres.start();
      const killsPostgresAt = Date.now() + seconds * 200;
      let isPostgresDue = true;
      for (let kill = 0; kill < killsMin || Date.now() < stage.endsAt; kill++) {
        await sleep(random.between(100, 1_500));
        await instance.kill();
        instance.start();
        await instance.untilReady(readyMsMax);
        if (!isPostgresDue || Date.now() < killsPostgresAt) continue;
        isPostgresDue = false;
        await postgres.kill();
        await postgres.start();
      }
    },
  },
];

/** A real small disk if we may mount one, so that the kernel refuses writes; otherwise the service's own limit. */
async function smallDisk(dir: string): Promise<Record<string, string>> {
  const path = join(dir, 'small-disk');
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return { SPOOL_BYTES_MAX: String(diskBytes) };
  }
  undoLater(async () => void execFileSync('umount', [path]));
  return { SPOOL_DIR: join(path, 'spool') };
}
