import { brokenBuilds as chaosBuilds } from '../chaos/broken-builds.ts';
import { brokenOnClusters } from './broken-on-clusters.ts';
import { brokenDeliveries } from './deliver/broken-deliveries.ts';
import type { BrokenBuild } from './finding.ts';
import { brokenAdmissions } from './held/broken-admissions.ts';

/**
 * What is different in the simulation: an error in the database is one in its model, and some promises have other names,
 * because more or less is compared.
 */
const inTheSimulation: Readonly<Record<string, Partial<BrokenBuild>>> = {
  'stores whatever the conflict': {
    breakages: [
      {
        file: 'simulate/database/workspace-rows.ts',
        from: `    if (this.leads.has(submissionId)) throw uniqueViolation('leads_pkey');`,
        to: `    while (this.leads.has(submissionId)) submissionId = crypto.randomUUID();`,
      },
    ],
  },
  'notes a delivery as delivered before it sends it': { finds: 'unsent' },
  'admits a held submission under an ID that nothing is derived from': { finds: 'doubled', also: [] },
  'keeps late requests as proven before it knows who sent them': { finds: 'intruded' },
};

/**
 * The simulated database has no standby and keeps everything, and its functions and those of the relay are a model, which has
 * no such errors.
 */
const onlyOnRealServers = [
  'answers before the synchronous standby has the lead',
  'writes to a bucket without looking whether it is still there',
  'makes the deliveries of an event twice, with no unique key against it',
  'sends to a destination whoever holds its lease',
  'numbers events without a lock until the commit',
  'keeps what was discarded although its time is over',
];

export const brokenBuilds: readonly BrokenBuild[] = [
  ...chaosBuilds
    .filter(({ name }) => !onlyOnRealServers.includes(name))
    .map((build) => ({ ...build, ...inTheSimulation[build.name] }) as BrokenBuild),
  {
    name: 'does not sync what it writes to the spool',
    finds: 'lost',
    breakages: [{ file: 'src/ingest/spool/journal.ts', from: '      await segment.file.sync();\n', to: '' }],
  },
  {
    name: 'does not sync the folder of a new segment',
    finds: 'lost',
    breakages: [
      { file: 'src/ingest/spool/journal.ts', from: '    await this.#disk.syncFolder(this.#dir);\n', to: '' },
    ],
  },
  {
    name: 'goes on writing to a segment after a failed sync',
    finds: 'lost',
    also: ['stuck'],
    breakages: [
      {
        file: 'src/ingest/spool/journal.ts',
        from: '      await this.#giveUpSegment();\n',
        to: '',
      },
    ],
  },
  {
    name: 'drains the segment that is still growing',
    finds: 'lost',
    also: ['stuck'],
    breakages: [
      {
        file: 'src/ingest/spool/drain/drain.ts',
        from: '(await folder.segments()).filter((name) => !spool.isGrowing(folder, name))',
        to: '(await folder.segments())',
      },
      {
        file: 'src/ingest/spool/drain/drain.ts',
        from: '    await spool.seal((shard) => !circuits.isOpen(shard));\n',
        to: '',
      },
    ],
  },
  {
    name: 'removes a segment before it is drained',
    finds: 'lost',
    also: ['stuck'],
    breakages: [
      {
        file: 'src/ingest/spool/drain/node-drain.ts',
        from: '    for (const batch of batchesOf(spooled.filter(isNext))) {',
        to: '    await segment.folder.discard(segment.name);\n    for (const batch of batchesOf(spooled.filter(isNext))) {',
      },
    ],
  },
  {
    name: 'forgets who repeats a lead that waits in the spool',
    finds: 'contradicted',
    also: ['lost'],
    breakages: [
      {
        file: 'src/ingest/commit/committer.ts',
        from: 'if (circuits.isOpen(lead.shard) || spool.holdsOriginalOf(lead)) spool.submit(submission);',
        to: 'if (circuits.isOpen(lead.shard)) spool.submit(submission);',
      },
      {
        file: 'src/domain/lead/submission-id.ts',
        from: 'this.#joined(workspaceId, keyHash, generation)',
        to: 'this.#joined(workspaceId, keyHash, (this.#uses = (this.#uses ?? 0) + 1))',
      },
      {
        file: 'src/domain/lead/submission-id.ts',
        from: '  #keyedHmac: ShortHmac;',
        to: '  #uses: number | undefined;\n  #keyedHmac: ShortHmac;',
      },
    ],
  },
  {
    name: 'rejects what it cannot keep',
    finds: 'refused',
    breakages: [
      {
        file: 'src/ingest/respond.ts',
        from: `    this.#record('unavailable');
    this.#reply.close();`,
        to: `    this.#record('unavailable');
    this.#reply.rejected(this.#arrival.requestId);`,
      },
    ],
  },
  {
    name: 'takes leads before it knows its senders',
    finds: 'refused',
    breakages: [
      {
        file: 'src/ingest/ingest.ts',
        from: 'if (isKnown && committer.isTaking) return true;',
        to: 'if ((isKnown || surface) && committer.isTaking) return true;',
      },
    ],
  },
  {
    name: 'never hears of a revoked token',
    finds: 'intruded',
    breakages: [
      {
        file: 'src/ingest/directory/directory-sync.ts',
        from: '    if (revision !== this.#revision) await this.refresh();\n',
        to: '',
      },
      {
        file: 'src/ingest/directory/directory-sync.ts',
        from: 'const onChange = () => void this.refresh().catch(() => {});',
        to: 'const onChange = () => {};',
      },
    ],
  },
  {
    name: 'sends a flush of diagnostics again under a new number',
    finds: 'miscounted',
    breakages: [
      {
        file: 'src/ingest/outcomes/flushed-tally.ts',
        from: `      this.#sequence++;
      this.#entries.beginFlush();
    }`,
        to: `      this.#entries.beginFlush();
    }
    this.#sequence++;`,
      },
    ],
  },
  {
    name: 'leaves the spool of a killed process alone',
    finds: 'lost',
    breakages: [
      {
        file: 'src/ingest/spool/spool.ts',
        from: '    for (const folder of await SpoolFolder.adoptAll(this.#deps, own)) {',
        to: '    for (const folder of (await SpoolFolder.adoptAll(this.#deps, own)).slice(1)) {',
      },
    ],
  },
  {
    name: 'drops the followers of a lead that was limited',
    finds: 'mute',
    breakages: [
      {
        file: 'src/ingest/commit/lane/lane.ts',
        from: '      this.#waiting.unshift(...followers);\n',
        to: '',
      },
    ],
  },
  {
    name: 'counts every instance for itself',
    finds: 'over the limit',
    breakages: [
      {
        file: 'src/ingest/commit/committer.ts',
        from: 'if (circuits.isOpen(lead.shard) || spool.holdsOriginalOf(lead)) spool.submit(submission);',
        to: 'if (true as boolean) spool.submit(submission);',
      },
    ],
  },
  ...brokenOnClusters,
  ...brokenDeliveries,
  ...brokenAdmissions,
];
