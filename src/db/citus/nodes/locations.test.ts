import { expect, test } from 'vitest';
import { shardCount } from '../../../domain/workspace.ts';
import type { IngestNode } from '../../ingest/ingest-database.ts';
import type { BucketMap } from './bucket-map.ts';
import type { ClusterNode } from './cluster-node.ts';
import { Locations } from './locations.ts';

const mapOn = (groupId: number): BucketMap =>
  Array.from({ length: shardCount }, () => ({ bucket: 1, groupId, host: 'node', port: groupId }));

test('while the coordinator is away, nodes that were removed do not answer for the others', async () => {
  let coordinator: BucketMap | null = null;
  const maps = new Map<number, BucketMap | null>();
  const locations = new Locations({
    alone: {} as IngestNode,
    isDelegated: false,
    async readMap() {
      if (coordinator === null) throw new Error('away');
      return coordinator;
    },
    openNode: ({ groupId }) =>
      ({
        address: String(groupId),
        readMap: async () => maps.get(groupId) ?? null,
      }) as Partial<ClusterNode> as ClusterNode,
  });
  for (const groupId of [1, 2]) {
    coordinator = mapOn(groupId);
    await locations.locate();
    expect(locations.nodeOf(0).address).toBe(String(groupId));
  }
  coordinator = null;
  maps.set(2, mapOn(3));
  await locations.locate();
  expect(locations.nodeOf(0).address).toBe('3');
});
