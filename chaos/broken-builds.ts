import type { Breakage } from './world/broken-build.ts';

/**
 * Builds that break a promise, each with the scenario that must turn red on it: a harness that finds nothing is
 * only worth something when it is known to find this.
 */
export interface BrokenBuild {
  readonly name: string;
  readonly scenario: string;
  /** The kinds of findings of which at least one must come up. */
  readonly finds: readonly string[];
  readonly breakages: readonly Breakage[];
}

export const brokenBuilds: readonly BrokenBuild[] = [
  {
    name: 'answers before it commits',
    scenario: 'kill',
    finds: ['lost'],
    breakages: [
      {
        file: 'src/ingest/group-commit.ts',
        from: 'lane.submit(lead, settle);',
        to: `settle({ kind: 'stored', submissionId: lead.submissionId });
    lane.submit(lead, () => {});`,
      },
    ],
  },
  {
    name: 'has no conflict clause on keys',
    scenario: 'cut',
    finds: ['mute'],
    breakages: [
      {
        file: 'migrations/0004_ingest_commit.sql',
        from: `    order by i.shard, i.workspace_id, i.key_hash
    on conflict (shard, workspace_id, key_hash) do update
      set submission_id = excluded.submission_id,
          body_hash = excluded.body_hash,
          expires_at = excluded.expires_at
      where k.expires_at <= p_now;`,
        to: '    order by i.shard, i.workspace_id, i.key_hash;',
      },
    ],
  },
  {
    name: 'makes a new id for each attempt to commit',
    scenario: 'cut',
    finds: ['doubled'],
    breakages: [
      {
        file: 'src/ingest/lane.ts',
        from: '    return living.length > 0 ? this.#commit(living, true) : [];',
        to: `    for (const each of living) each.lead = { ...each.lead, submissionId: crypto.randomUUID() };
    return living.length > 0 ? this.#commit(living, true) : [];`,
      },
    ],
  },
];
