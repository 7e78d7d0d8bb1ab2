import type pg from 'pg';
import type { ClusterNode } from '../../db/citus/cluster.ts';
import { isReachedByCoordinator, type NodeFacts, readNodeFacts } from '../../db/citus/node-facts.ts';
import type { CitusRoute } from '../../db/citus/route.ts';
import { hostConnectionsMax } from '../../db/hosts/connection-budget.ts';
import { causeOf } from '../../db/hosts/database-hosts.ts';
import { nameOf } from '../../db/hosts/database-url.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const timeoutMs = 5_000;
const driftMsGood = 2_000;
const driftMsMax = 30_000;

export interface ExaminedNode {
  readonly node: ClusterNode;
  /** How many buckets it has. */
  readonly buckets: number;
}

/** How servers are reached from here. */
export interface Approach {
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  readonly route: CitusRoute;
}

/** One server of a cluster: reachable from here, in order, and safe to store leads on. */
export async function checkNode(
  { pool, databaseUrl, route }: Approach,
  { node, buckets }: ExaminedNode,
): Promise<Finding[]> {
  const check = `node ${nameOf(node)}`;
  const before = Date.now();
  let facts: NodeFacts;
  try {
    facts = await readNodeFacts(databaseUrl, node, timeoutMs);
  } catch (error) {
    return [await checkUnreachable({ pool, route }, node, check, error as Error)];
  }
  const driftMs = Math.max(0, before - facts.now.getTime(), facts.now.getTime() - Date.now());
  const findings = [
    ...checkIdentity(check, node, facts),
    ...checkSettings(check, facts),
    ...checkClock(check, driftMs),
  ];
  if (findings.length > 0) return findings;
  return [ok(check, `${buckets === 1 ? '1 bucket' : `${buckets} buckets`}. Responds to this machine.`)];
}

async function checkUnreachable(
  { pool, route }: Pick<Approach, 'pool' | 'route'>,
  node: ClusterNode,
  check: string,
  error: Error,
): Promise<Finding> {
  const cause = causeOf(error);
  if (!(await isReachedByCoordinator(pool, node, timeoutMs).catch(() => false)))
    return fault(
      check,
      `Down: neither this machine nor the coordinator reaches it (${cause}).`,
      'Start it, or replace it as in docs/citus.md. Leads of its workspaces wait in the spool.',
    );
  if (route === 'coordinator')
    return ok(
      check,
      'Responds to the coordinator, but not to this machine, which is enough for CITUS_ROUTE=coordinator.',
    );
  return fault(
    check,
    `The coordinator reaches it, but this machine does not: ${cause}.`,
    'Let this machine connect to that address with the role of DATABASE_URL, or set CITUS_ROUTE=coordinator.',
  );
}

function checkIdentity(check: string, { groupId, hasMetadata }: ClusterNode, facts: NodeFacts): Finding[] {
  if (facts.isStandby)
    return [
      fault(check, 'It is a standby.', 'Promote it, or tell Citus the primary with citus_update_node.'),
    ];
  if (facts.groupId !== groupId)
    return [
      fault(
        check,
        'From this machine, its address leads to another server.',
        'Give every server an address that means the same on all machines, and set it with citus_update_node.',
      ),
    ];
  if (hasMetadata) return [];
  return [
    fault(
      check,
      'It does not have the metadata of the cluster.',
      `select start_metadata_sync_to_all_nodes(); on the coordinator.`,
    ),
  ];
}

function checkSettings(check: string, facts: NodeFacts): Finding[] {
  const { fsync, fullPageWrites, preparedMax, walLevel, connectionsMax } = facts;
  const findings: Finding[] = [];
  for (const [name, value] of [
    ['fsync', fsync],
    ['full_page_writes', fullPageWrites],
  ] as const)
    if (value !== 'on')
      findings.push(
        fault(
          check,
          `${name} is ${value}: a power failure may lose leads that got a 202.`,
          `On that server: alter system set ${name} = on; select pg_reload_conf();`,
        ),
      );
  // Citus chooses a sufficient number if it is not set.
  if (preparedMax < connectionsMax)
    findings.push(
      warning(
        check,
        `max_prepared_transactions is ${preparedMax}, less than max_connections: statements on several nodes may fail.`,
        'Remove the setting, or raise it, and restart that server.',
      ),
    );
  if (walLevel !== 'logical')
    findings.push(
      warning(
        check,
        `wal_level is ${walLevel}: buckets move only with writes blocked.`,
        'Set wal_level to logical, and restart that server.',
      ),
    );
  if (connectionsMax < hostConnectionsMax)
    findings.push(
      warning(
        check,
        `It accepts ${connectionsMax} connections, but a machine with Leadgate may open ${hostConnectionsMax}.`,
        'Raise max_connections, and restart that server.',
      ),
    );
  return findings;
}

function checkClock(check: string, driftMs: number): Finding[] {
  if (driftMs <= driftMsGood) return [];
  const text = `Its clock and that of this machine are ${(driftMs / 1000).toFixed(1)} s apart.`;
  const fix = 'Synchronise the clocks of all machines with NTP.';
  return [driftMs > driftMsMax ? fault(check, text, fix) : warning(check, text, fix)];
}
