import { Rhythms } from '../alarms/rhythms.ts';
import { alarmRules } from '../alarms/rules.ts';
import { AlarmWatch } from '../alarms/watch.ts';
import { readRecentCounts } from '../db/alarms/facts/recent-counts.ts';
import type { Mail } from '../mail/mail.ts';
import type { Nodes } from '../relay/nodes.ts';
import { systemRandomness } from '../time/randomness.ts';
import type { CommonParts, CommonPartsDeps } from './common-parts.ts';
import { hasRole } from './roles.ts';
import type { Stops } from './stops.ts';

export interface AlarmsDeps extends CommonPartsDeps {
  readonly nodes: Nodes;
  readonly mail: Mail;
  readonly publicUrl: () => string;
}

/** Judges what is wrong with the leads, and tells owners and operators. */
export function startAlarms(deps: AlarmsDeps, parts: CommonParts, stops: Stops): void {
  const { config, clock, log, nodes, mail, publicUrl } = deps;
  if (!hasRole(config, 'deliver')) return;
  const { pool, metrics, database } = parts;
  const watch = new AlarmWatch({
    pool,
    clock,
    log,
    nodes,
    randomness: systemRandomness,
    readCounts: readRecentCounts,
    rules: alarmRules(),
    rhythms: new Rhythms({ pool }),
    mail,
    publicUrl,
    meter: metrics.alarms,
  });
  stops.add(() => watch.stop());
  void database.ready.then(() => watch.start());
}
