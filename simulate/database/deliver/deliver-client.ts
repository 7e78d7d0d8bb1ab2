import type { DeliverDatabase } from '../../../src/db/deliver/deliver-database.ts';
import { isOutage } from '../../../src/db/errors.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Life } from '../../life.ts';
import { Connection } from '../connection.ts';
import type { DatabaseServer } from '../database-server.ts';
import type { Statement } from '../server.ts';
import {
  cancelPending,
  claimDestinations,
  countDelivered,
  disableDestination,
  findSendingDestination,
  listWaiting,
  readDueDeliveries,
  readLeadFacts,
  releaseLeases,
  renewLeases,
  saveHealth,
  wakeForgotten,
  writeOutcomes,
} from './deliver-model.ts';
import { replaySome } from './replays.ts';

const timeoutMs = 5_000;
const noText = () => '';

/** Who asks, and where. */
export interface Asking {
  readonly server: DatabaseServer;
  readonly cluster: Cluster | null;
  readonly life: Life;
}

/** Asks the server, or the coordinator of a cluster. */
export function ask<T>({ server, life }: Asking, statement: Statement<T>): Promise<T> {
  return new Connection(server, life).ask<T>((asker) => server.send(statement, asker), timeoutMs);
}

/** On a cluster, the coordinator passes it on to the node that has the rows. */
export function askShard<T>(asking: Asking, shard: number, statement: Statement<T>): Promise<T> {
  const { server, cluster, life } = asking;
  if (cluster === null) return ask(asking, statement);
  return new Connection(server, life).ask<T>(
    (asker) => server.relay(statement, () => cluster.serverOf(shard), asker),
    timeoutMs,
  );
}

export interface SimulatedDeliver extends DeliverDatabase {
  /** The name by which it holds leases; null until the first claim. */
  readonly instanceId: string | null;
}

/** Like postgresDeliver of src/db/deliver/postgres-deliver.ts. */
export function deliverDatabaseOf(asking: Asking, shards: readonly number[]): SimulatedDeliver {
  const { server, cluster } = asking;
  const { tables } = server;
  let holder: string | null = null;
  const once = <T>(name: string, work: () => T, told?: Statement<T>['told']) =>
    ask(asking, { name, work, ...(told && { told }) });
  const at = <T>(workspaceId: string, name: string, work: () => T, told?: Statement<T>['told']) =>
    askShard(asking, shardOf(workspaceId), { name, work, ...(told && { told }) });

  async function sweepShard(shard: number | null, now: Date): Promise<void> {
    const read = { name: 'waiting', work: () => listWaiting(tables, shard) };
    const waiting = await (shard === null ? ask(asking, read) : askShard(asking, shard, read));
    await once('wake forgotten', () => wakeForgotten(tables, waiting, now));
    for (const destination of waiting)
      if (!tables.deliver.destinations.has(destination.id))
        await at(destination.workspaceId, 'cancel', () => cancelPending(tables, destination));
  }

  return {
    get instanceId() {
      return holder;
    },
    claim: (claim) => {
      holder = claim.instanceId;
      return once('claim', () => claimDestinations(tables, claim));
    },
    renew: (instanceId, ids, until) => once('renew', () => renewLeases(tables, instanceId, ids, until)),
    release: (instanceId, releases) => once('release', () => releaseLeases(tables, instanceId, releases)),
    readDestination: (id) =>
      once(
        'destination',
        () => findSendingDestination(tables, id),
        (found) => `${found?.status} ${found?.version}`,
      ),
    readDue: (destination, query) =>
      at(
        destination.workspaceId,
        'due',
        () => readDueDeliveries(tables, destination, query),
        ({ due }) => due.map(({ id }) => id).join(' '),
      ),
    readLeads: (workspaceId, ids) =>
      at(workspaceId, 'leads', () => readLeadFacts(tables, workspaceId, ids), noText),
    cancelSome: async (destination) => {
      await at(destination.workspaceId, 'cancel', () => cancelPending(tables, destination));
      return false;
    },
    partOf: async (workspaceId) => (cluster === null ? null : shardOf(workspaceId)),
    writeOutcomes: (outcomes, part) => {
      const write = {
        name: `outcomes ${outcomes.map(({ deliveryId, state }) => `${deliveryId} ${state}`).join(' ')}`,
        work: () => writeOutcomes(tables, outcomes),
      };
      return part === null ? ask(asking, write) : askShard(asking, part, write);
    },
    saveHealth: (changed) => once('health', () => saveHealth(tables, changed)),
    disable: (disabling) => once('disable', () => disableDestination(tables, disabling)),
    countDelivered: (destination, since, countMax) =>
      at(destination.workspaceId, 'delivered', () => countDelivered(tables, destination, since, countMax)),
    // Whoever stands in for the mail server knows them.
    listRecipients: async () => [],
    saveRecipientErrors: async () => {},
    sweep: async (now) => {
      for (const shard of cluster === null ? [null] : shards) {
        try {
          await sweepShard(shard, now);
        } catch (error) {
          if (shard === null || !isOutage(error)) throw error;
        }
      }
      return null;
    },
    replaySome: (now, newId) => once('replay', () => replaySome(tables, now.getTime(), newId)),
  };
}
