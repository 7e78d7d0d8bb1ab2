import type pg from 'pg';
import type { Config } from '../../config.ts';
import { readCluster } from '../../db/citus/cluster.ts';
import { isUnreachableNode } from '../../db/errors.ts';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { hasPeople } from '../../db/people/people.ts';
import { readServerFacts, readServerTime, type ServerFacts } from '../../db/server-facts.ts';
import { firstStartPath, hasFirstStartFile } from '../../telemetry/first-start.ts';
import { hasCluster, withDatabase } from '../database.ts';
import { checkCluster, checkCoordinator } from './cluster.ts';
import { checkEncryption } from './encryption.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { checkHeld } from './held.ts';
import { checkHosts } from './hosts.ts';

const versionNumberMin = 150_000;
const driftMsGood = 2_000;
const driftMsMax = 30_000;

export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.databaseUrl === null && !hasCluster(config))
    return [ok('database', 'Not created yet; the first start creates it.')];
  try {
    const { findings, hasPrimary } = await checkHosts(config.databaseUrl);
    if (!hasPrimary) return [...findings];
    return [...findings, ...(await withDatabase(config, (pool, url) => examine(pool, url, config)))];
  } catch (error) {
    const { message } = error as Error;
    const fix =
      config.databaseUrl === null
        ? 'Start the service with LOG_LEVEL=debug and read the messages of PostgreSQL.'
        : 'Start that server, or correct the host, port, user, password and database name in DATABASE_URL.';
    return [fault('database', `It is not usable: ${message || 'no connection'}`, fix)];
  }
}

async function examine(pool: pg.Pool, databaseUrl: string, config: Config): Promise<Finding[]> {
  const facts = await readServerFacts(pool);
  const cluster = await readCluster(pool);
  const unusable = cluster === null ? [] : checkCoordinator(cluster);
  if (unusable.length > 0) return [...checkServer(facts), ...unusable];
  const pending = await pendingMigrations(pool);
  return [
    ...checkServer(facts),
    ...checkDurability(facts),
    await checkClock(pool),
    pending.length === 0
      ? ok('schema', 'It is up to date.')
      : warning(
          'schema',
          `${pending.length} migrations are pending.`,
          'Run leadgate migrate, or start the service.',
        ),
    ...(cluster !== null && pending.length === 0
      ? await checkCluster({ pool, databaseUrl, route: config.citusRoute }, cluster)
      : []),
    ...(pending.length === 0
      ? [...(await checkEverywhere(pool, config)), ...(await checkFirstStart(pool, config))]
      : []),
  ];
}

/** Some encrypted values, and what is held, are on nodes of a cluster, and one of those may be down. */
async function checkEverywhere(pool: pg.Pool, config: Config): Promise<Finding[]> {
  try {
    return [...(await checkEncryption(pool, config)), await checkHeld(pool, config)];
  } catch (error) {
    if (!isUnreachableNode(error)) throw error;
    return [
      warning(
        'encryption key',
        'It cannot be checked while a node is down.',
        'Start that node, then run leadgate doctor again.',
      ),
    ];
  }
}

function checkServer({ versionNumber, version, isStandby, encoding }: ServerFacts): Finding[] {
  const findings: Finding[] = [];
  if (versionNumber < versionNumberMin)
    findings.push(fault('database', `PostgreSQL ${version} is too old.`, 'Use PostgreSQL 15 or newer.'));
  if (isStandby)
    findings.push(fault('database', 'The server is a standby.', 'Point DATABASE_URL at the primary.'));
  if (encoding !== 'UTF8')
    findings.push(
      fault('database', `Its encoding is ${encoding}.`, 'Create the database with encoding UTF8.'),
    );
  return findings.length > 0 ? findings : [ok('database', `PostgreSQL ${version} responds.`)];
}

/** A 202 promises that the lead is on disk, which these settings can break. */
function checkDurability({ settings }: ServerFacts): Finding[] {
  const findings = ['fsync', 'full_page_writes']
    .filter((name) => settings[name] !== 'on')
    .map((name) =>
      fault(
        `setting ${name}`,
        `It is ${settings[name]}: a power failure may lose leads that got a 202.`,
        `alter system set ${name} = on; select pg_reload_conf();`,
      ),
    );
  const { fsync, full_page_writes, synchronous_commit } = settings;
  const shown = `fsync ${fsync}, full_page_writes ${full_page_writes}, synchronous_commit ${synchronous_commit}.`;
  return findings.length > 0 ? findings : [ok('durability', shown)];
}

async function checkClock(pool: pg.Pool): Promise<Finding> {
  const before = Date.now();
  const serverTime = await readServerTime(pool);
  const after = Date.now();
  // The server read its clock at some moment in between, so only a time outside that range is drift.
  const drift = Math.max(0, before - serverTime, serverTime - after);
  const text = `This machine and the database are ${(drift / 1000).toFixed(1)} s apart.`;
  const fix = 'Synchronise the clocks of both machines with NTP.';
  if (drift > driftMsMax) return fault('clock', text, fix);
  return drift > driftMsGood ? warning('clock', text, fix) : ok('clock', text);
}

/** The service deletes it, unless it is stopped or may not. Its webhook secret never expires. */
async function checkFirstStart(pool: pg.Pool, { dataDir }: Config): Promise<Finding[]> {
  if (!hasFirstStartFile(dataDir) || !(await hasPeople(pool))) return [];
  const path = firstStartPath(dataDir);
  const fix = `Start the service, which deletes it. If it is still there after some seconds: rm ${path}`;
  return [warning('first start', `${path} still exists and contains secrets.`, fix)];
}
