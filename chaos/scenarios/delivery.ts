import type { DeliveryWorld } from '../delivery/delivery-world.ts';
import { judgeDeliveries } from '../delivery/judge.ts';
import type { Scenario } from '../scenario.ts';
import type { Breakage } from '../world/broken-build.ts';
import { killAll, killOne, killPostgres, outage, pause } from './faults.ts';

/** Even on a slow machine, each kind of fault happens. */
const cyclesMin = 4;

/** The schedule of three days in a minute. Everything else waits as long as it always does. */
const hurried: readonly Breakage[] = [
  {
    file: 'src/domain/destination/retry/schedule.ts',
    from: `  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]`,
    to: `  ...Array.from({ length: 8 }, () => 5 * secondMs),
]`,
  },
];

/** Leads leave: to receivers that fail, from instances that are killed, with a database that is down now and then. */
export const deliveryScenarios: readonly Scenario[] = [
  {
    name: 'delivery',
    about:
      'receivers fail, hang, trickle and lie, while instances and PostgreSQL are killed and the network to it fails',
    instances: 3,
    hasDestinations: true,
    substitutions: hurried,
    traffic: { serverShare: 1, resentShare: 0, largeShare: 0.005 },
    rateShare: 0.75,
    seconds: 45,
    // Some of the responses are those of retries.
    enough: { accepted: 105_000, kills: 50 },
    prepare: async () => ({ DELIVER_ALLOW: '127.0.0.1' }),
    faults: async (stage) => {
      const delivery = stage.delivery as DeliveryWorld;
      delivery.start();
      const kinds = [killOne, outage, killPostgres, killAll, killOne, killOne, killOne];
      for (let cycle = 0; cycle < cyclesMin || Date.now() < stage.endsAt; cycle++) {
        await pause(stage);
        await (kinds[cycle % kinds.length] as typeof killOne)(stage);
      }
      await delivery.eraser.stop();
    },
    judge: judgeDeliveries,
  },
];
