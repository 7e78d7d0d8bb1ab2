import type { BrokenBuild } from './finding.ts';

/** Builds that break a promise only on a cluster. */
export const brokenOnClusters: readonly BrokenBuild[] = [
  {
    name: 'discards a segment although leads of another node are left in it',
    finds: 'stuck',
    also: ['lost'],
    breakages: [
      {
        file: 'src/ingest/spool/drain/node-drain.ts',
        from: '    if (segment.isDrained) await this.#discard(segment, unreadable);\n',
        to: '    await this.#discard(segment, unreadable);\n',
      },
    ],
  },
  {
    name: 'confirms leads whose bucket has moved',
    finds: 'lost',
    breakages: [
      {
        file: 'src/ingest/commit/lane/committed-result.ts',
        from: "  if (outcome === 'moved' || outcome === 'closed') return outcome;\n",
        to: `  if (outcome === 'moved') return { kind: 'stored', submissionId: lead.submissionId };
  if (outcome === 'closed') return outcome;
`,
      },
    ],
  },
  {
    name: 'shares one circuit between all nodes',
    finds: 'spread',
    breakages: [
      {
        file: 'src/ingest/circuit/circuits.ts',
        from: '    this.#nodes.of(node).trip(error);\n',
        to: '    for (const circuit of [this.#nodes.of(node), ...this.#nodes.all]) circuit.trip(error);\n',
      },
    ],
  },
  {
    name: 'takes leads of a closed bucket for drained',
    finds: 'lost',
    breakages: [
      {
        file: 'src/ingest/spool/drain/node-drain.ts',
        from: "      if (outcome === 'closed' || outcome === 'moved') misplaced.add(lead);\n",
        to: "      if (outcome === 'moved') misplaced.add(lead);\n",
      },
    ],
  },
  {
    name: 'never reads again where the buckets are',
    finds: 'lost',
    also: ['stuck'],
    breakages: [
      {
        file: 'src/db/citus/nodes/locations.ts',
        from: '    if (map !== null) this.#map = map;\n',
        to: '    if (map !== null) this.#map ??= map;\n',
      },
    ],
  },
  {
    name: 'trips the circuit of the old node when a bucket has moved',
    finds: 'spread',
    breakages: [
      {
        file: 'src/db/citus/nodes/placed.ts',
        from: '  if (!isMoved && !isLockTimeout(error)) throw error;\n',
        to: '  if (!isLockTimeout(error)) throw error;\n',
      },
      {
        file: 'src/ingest/commit/lane/lane.ts',
        from: '    if (!isMovedBucket(error)) this.#deps.onUnreachable(error);\n',
        to: '    this.#deps.onUnreachable(error);\n',
      },
    ],
  },
];
