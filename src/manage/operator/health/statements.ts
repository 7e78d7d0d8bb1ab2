import type { HealthStatement } from '../../../contract/operator/health.ts';
import { statementStates } from '../../../contract/operator/health.ts';
import type { Backlog } from '../../../db/ingest/backlog.ts';
import type { DiskUse } from '../../../telemetry/health/disk-watch.ts';
import type { HostFigures, WorkerFigures } from '../../../telemetry/host/host-figures.ts';
import { minuteMs } from '../../../time/clock.ts';
import { bytesText, countText, durationText, rateText } from './amounts.ts';
import { limits, type State, stateAbove } from './limits.ts';

/** Everything that is known about an instance when someone asks. */
export interface HealthFacts {
  /** False for a process whose ROLE leaves leads to others. */
  readonly takesLeads: boolean;
  /** False while leads go to the spool. */
  readonly isDatabaseAvailable: boolean;
  readonly nodes: HostFigures['nodes'];
  /** Null if the database did not answer. */
  readonly backlog: Backlog | null;
  /** Over the last minutes; null if unknown. */
  readonly leadsPerSecond: number | null;
  readonly commitP50Ms: number | null;
  readonly commitP99Ms: number | null;
  readonly queueLeads: number;
  readonly spool: {
    readonly leads: number;
    readonly bytes: number;
    readonly bytesMax: number;
    readonly isUsable: boolean;
  };
  readonly directoryAgeMs: number;
  readonly log: HostFigures['log'];
  /** Null if there is only one process. */
  readonly workers: WorkerFigures | null;
  readonly disks: readonly DiskUse[];
  /** This machine minus the database; null if the database did not answer. */
  readonly clockDifferenceMs: number | null;
  /** A jump of the machine's clock that the service does not follow yet. */
  readonly leapMs: number;
  readonly version: string;
  readonly uptimeMs: number;
  readonly hasUncountedProxy: boolean;
}

const restartMsRecent = 10 * minuteMs;

/** The state in sentences, problems and warnings first; otherwise in this order. */
export function statementsOf(facts: HealthFacts): HealthStatement[] {
  const all = [
    database(facts),
    workers(facts),
    spool(facts),
    quarantine(facts),
    leads(facts),
    commits(facts),
    queue(facts),
    ...facts.disks.map((disk) => diskSpace(disk, facts.disks.length > 1)),
    log(facts),
    clock(facts),
    facts.hasUncountedProxy ? uncountedProxy : null,
    directory(facts),
    enrichment(facts),
    failedJobs(facts),
    version(facts),
  ].filter((statement) => statement !== null);
  return statementStates.flatMap((state) => all.filter((statement) => statement.state === state));
}

/** A statement; advice only if there is something to do. */
function say(id: string, state: State, text: string, advice?: string, docs?: string): HealthStatement {
  const isFine = state === 'ok' || advice === undefined;
  return isFine ? { id, state, text } : { id, state, text, advice, ...(docs === undefined ? {} : { docs }) };
}

const outageDocs = '/docs/operating#when-postgresql-is-down';
const alertDocs = '/docs/operating#alerts';

function database({ isDatabaseAvailable, nodes, backlog, takesLeads }: HealthFacts): HealthStatement {
  if (isDatabaseAvailable && backlog !== null)
    return say(
      'database',
      'ok',
      `The database is available${nodes.length > 1 ? `, with ${nodes.length} nodes` : ''}.`,
    );
  const lost = nodes.filter(({ isAvailable }) => !isAvailable).map(({ address }) => address);
  if (lost.length > 0 && lost.length < nodes.length) return lostNodes(lost);
  const effect = takesLeads
    ? ' Leads are accepted into the spool; the settings area and enrichment wait.'
    : ' The settings area and enrichment wait.';
  const text = isDatabaseAvailable
    ? 'The database does not respond to queries, or is too slow.'
    : `The database is unavailable.${effect}`;
  const advice =
    'Check that PostgreSQL runs, accepts connections and writes, and has space. Leads are safe while the spool has space.';
  return say('database', 'problem', text, advice, outageDocs);
}

function lostNodes(lost: readonly string[]): HealthStatement {
  const text = `${lost.length === 1 ? 'Node' : 'Nodes'} ${lost.join(', ')} of the cluster ${lost.length === 1 ? 'is' : 'are'} unavailable. Leads of workspaces there are accepted into the spool; those of others are stored.`;
  const advice = 'Start the node, or let its standby take over. Leads are safe while the spool has space.';
  return say('database', 'problem', text, advice, '/docs/citus#lose-a-server');
}

function workers({ workers }: HealthFacts): HealthStatement | null {
  if (workers === null) return null;
  const { configured, sinceRestartMs } = workers;
  // A rolling restart starts each worker before it stops the one that it replaces.
  const running = Math.min(workers.running, configured);
  const isMissing = running < configured;
  const isRestarted = sinceRestartMs !== null && sinceRestartMs < restartMsRecent;
  const restart = isRestarted ? ` One died and was started again ${durationText(sinceRestartMs)} ago.` : '';
  return say(
    'workers',
    isMissing || isRestarted ? 'warning' : 'ok',
    `${running} of ${countText(configured, 'worker')} ${running === 1 ? 'is' : 'are'} running.${restart}`,
    'Read the log for why a worker died or does not start. The other workers accept leads meanwhile.',
    alertDocs,
  );
}

function spool({ takesLeads, isDatabaseAvailable, spool }: HealthFacts): HealthStatement | null {
  if (!takesLeads) return null;
  if (!spool.isUsable)
    return say(
      'spool',
      'problem',
      'The spool cannot be written. While the database is unavailable, leads cannot be accepted.',
      'Check that SPOOL_DIR exists, is writable and has space, then read the log.',
      alertDocs,
    );
  if (spool.leads === 0) return say('spool', 'ok', 'The spool is empty.');
  const part = spool.bytesMax === 0 ? 1 : spool.bytes / spool.bytesMax;
  const use = `${countText(spool.leads, 'lead')} ${spool.leads === 1 ? 'waits' : 'wait'} in the spool, which is ${percentText(part)} full.`;
  const advice = isDatabaseAvailable
    ? 'They are being stored. If the number does not go down, find "spool drain failed" in the log and fix its cause.'
    : 'Bring the database back, or raise SPOOL_BYTES_MAX and restart; a restart keeps the spool.';
  return say('spool', part > limits.spoolPart.problem ? 'problem' : 'warning', use, advice, alertDocs);
}

function quarantine({ backlog }: HealthFacts): HealthStatement | null {
  if (backlog === null) return null;
  if (backlog.refused === 0) return say('quarantine', 'ok', 'No lead waits in quarantine.');
  const isOne = backlog.refused === 1;
  return say(
    'quarantine',
    'warning',
    `${countText(backlog.refused, 'accepted lead')} could not be stored and ${isOne ? 'waits' : 'wait'} in quarantine.`,
    'Fix the cause, then store or discard them under Quarantine.',
    '/docs/operating#quarantine',
  );
}

function leads({ takesLeads, leadsPerSecond }: HealthFacts): HealthStatement {
  if (!takesLeads)
    return say('leads', 'ok', 'This process accepts no leads; others do, and have their own health.');
  if (leadsPerSecond === null) return say('leads', 'ok', 'The service has just started.');
  if (leadsPerSecond === 0) return say('leads', 'ok', 'No lead was accepted here in the last five minutes.');
  return say(
    'leads',
    'ok',
    `${rateText(leadsPerSecond)} leads per second were accepted in the last five minutes.`,
  );
}

function commits({ takesLeads, commitP50Ms, commitP99Ms }: HealthFacts): HealthStatement | null {
  if (!takesLeads || commitP50Ms === null || commitP99Ms === null) return null;
  return say(
    'commits',
    stateAbove(commitP99Ms, limits.commitP99Ms),
    `Leads are stored within ${rateText(commitP50Ms)} ms (p50) and ${rateText(commitP99Ms)} ms (p99).`,
    'Check the load and the disk of the database. A commit slower than COMMIT_DEADLINE_MS sends leads to the spool.',
    '/docs/performance',
  );
}

function queue({ takesLeads, queueLeads }: HealthFacts): HealthStatement | null {
  if (!takesLeads) return null;
  if (queueLeads === 0) return say('queue', 'ok', 'No lead waits to be stored.');
  return say(
    'queue',
    stateAbove(queueLeads, limits.queueLeads),
    `${countText(queueLeads, 'lead')} ${queueLeads === 1 ? 'waits' : 'wait'} to be stored.`,
    'More leads arrive than the database stores. Check its load, or add an instance.',
    '/docs/operating#scaling-out',
  );
}

function diskSpace({ folder, bytesTotal, bytesAvailable }: DiskUse, areSeveral: boolean): HealthStatement {
  const used = bytesTotal === 0 ? 1 : 1 - bytesAvailable / bytesTotal;
  const { warning, problem } = limits.diskBytesAvailable;
  const byPart = stateAbove(used, limits.diskUsedPart);
  const byBytes = stateAbove(-bytesAvailable, { warning: -warning, problem: -problem });
  const state = statementStates.find((one) => one === byPart || one === byBytes) ?? 'ok';
  const name = areSeveral ? `the disk of ${folder === 'data' ? 'DATA_DIR' : 'SPOOL_DIR'}` : 'the disk';
  return say(
    folder === 'data' ? 'disk' : 'spool_disk',
    state,
    `${percentText(used)} of ${name} is used; ${bytesText(bytesAvailable)} are available.`,
    'Free some space or use a larger disk. Without space, leads cannot be kept while the database is unavailable.',
    '/docs/troubleshooting#running-the-service',
  );
}

function log({ log: { isWritable, droppedLines } }: HealthFacts): HealthStatement {
  if (isWritable) return say('log', 'ok', 'The log is written.');
  const text = `The log cannot be written: ${countText(droppedLines, 'line')} dropped since the start.`;
  const advice =
    'Free some space on the disk of the log; it continues by itself. If a program that read it has stopped, restart the service. Leads are accepted meanwhile.';
  return say('log', 'problem', text, advice, alertDocs);
}

function clock({ clockDifferenceMs, leapMs }: HealthFacts): HealthStatement | null {
  const advice = 'Synchronise the clocks of this machine and the database with NTP.';
  if (leapMs !== 0) {
    const size = `${durationText(Math.abs(leapMs))} ${leapMs > 0 ? 'forward' : 'back'}`;
    const text = `The clock of this machine jumped ${size}. The service follows it after ten minutes unless it is set back.`;
    return say('clock', 'problem', text, advice, alertDocs);
  }
  if (clockDifferenceMs === null) return null;
  const apart = Math.abs(clockDifferenceMs);
  const state = stateAbove(apart, limits.clockDifferenceMs);
  if (state === 'ok')
    return say('clock', 'ok', `The clock agrees with the database (${rateText(apart)} ms).`);
  const direction = clockDifferenceMs > 0 ? 'ahead of' : 'behind';
  const text = `The clock of this machine is ${durationText(apart)} ${direction} the database.`;
  return say('clock', state, text, advice, alertDocs);
}

const uncountedProxy = say(
  'proxy',
  'warning',
  'Signed-in people sent X-Forwarded-For, as a proxy does, but TRUST_PROXY is 0. Behind a proxy all people then share one limit for sign-in attempts.',
  'If there is a proxy, set TRUST_PROXY to the number of proxies, usually 1, and restart.',
  '/docs/security#in-front-of-the-service',
);

function directory({ directoryAgeMs, takesLeads }: HealthFacts): HealthStatement | null {
  if (!takesLeads) return null;
  const state = stateAbove(directoryAgeMs, limits.directoryAgeMs);
  if (state === 'ok') return say('directory', 'ok', 'Forms, tokens and secrets are up to date.');
  return say(
    'directory',
    state,
    `Forms, tokens and secrets were last confirmed ${durationText(directoryAgeMs)} ago; newer changes are not applied to leads yet.`,
    'Check the database. The last known ones stay in use until then.',
    alertDocs,
  );
}

function enrichment({ backlog }: HealthFacts): HealthStatement | null {
  if (backlog === null) return null;
  const { waiting, oldestMs } = backlog;
  const noted = backlog.noted ?? 0;
  if (waiting === 0 && noted === 0) return say('enrichment', 'ok', 'Enrichment: no job is waiting.');
  const byAge = stateAbove(oldestMs ?? 0, limits.enrichmentOldestMs);
  const byNotes = stateAbove(noted, limits.enrichmentNoted);
  const state = byAge === 'ok' ? byNotes : byAge;
  const oldest = oldestMs === null ? '' : `; the oldest for ${durationText(oldestMs)}`;
  const jobs = `${countText(waiting, 'job')} ${waiting === 1 ? 'is' : 'are'} waiting${oldest}.`;
  const notes =
    noted === 0 ? '' : ` ${countText(noted, 'commit')} ${noted === 1 ? 'has' : 'have'} no job yet.`;
  return say(
    'enrichment',
    state,
    `Enrichment: ${jobs}${notes}`,
    'Check that a process with ROLE all or enrich runs, and read its log. Enrichment waits while many leads arrive, and catches up afterwards.',
    '/docs/enrichment#phases',
  );
}

function failedJobs({ backlog }: HealthFacts): HealthStatement | null {
  if (backlog === null || backlog.failed === 0) return null;
  return say(
    'enrichment_failed',
    'warning',
    `Enrichment: ${countText(backlog.failed, 'job')} failed permanently.`,
    'Read the log of the process that enriches. Their leads are stored and scored; only the added information is missing.',
    '/docs/enrichment#phases',
  );
}

function version({ version, uptimeMs }: HealthFacts): HealthStatement {
  return say('version', 'ok', `Version ${version}, running for ${durationText(uptimeMs)}.`);
}

function percentText(part: number): string {
  if (part > 0 && part < 0.01) return 'less than 1 %';
  // 100 % only if nothing is left.
  return part >= 1 ? '100 %' : `${Math.min(99, Math.round(part * 100))} %`;
}
