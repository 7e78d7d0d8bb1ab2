import type { HeldWorld } from '../held/held-world.ts';
import { judgeHeld } from '../held/judge.ts';
import type { Scenario } from '../scenario.ts';
import type { Breakage } from '../world/broken-build.ts';
import { killAll, killOne, killPostgres, outage, pause } from './faults.ts';

/** Even on a slow machine, each kind of fault happens. */
const cyclesMin = 4;

/** All shards are cleaned in some seconds instead of twenty minutes. */
const hurried: readonly Breakage[] = [
  {
    file: 'src/ingest/housekeeping.ts',
    from: 'const stepMs = 5_000;',
    to: 'const stepMs = 20;',
  },
];

/** Rejected requests are kept and admitted, by instances that are killed, in a database that is down now and then. */
export const heldScenarios: readonly Scenario[] = [
  {
    name: 'held',
    about:
      'rejected requests are kept, admitted and discarded, while instances and PostgreSQL are killed and the network to it fails',
    instances: 3,
    hasHeld: true,
    substitutions: hurried,
    rateShare: 0.25,
    seconds: 45,
    faults: async (stage) => {
      const { rejected, owner } = stage.held as HeldWorld;
      rejected.start();
      owner.start();
      const kinds = [killOne, outage, killPostgres, killAll, killOne, killOne, killOne];
      for (let cycle = 0; cycle < cyclesMin || Date.now() < stage.endsAt; cycle++) {
        await pause(stage);
        await (kinds[cycle % kinds.length] as typeof killOne)(stage);
      }
      await owner.stop();
      await rejected.finish();
    },
    judge: judgeHeld,
  },
];
