import type { Findings } from './check/check.ts';
import type { DeliveryFindings } from './delivery/delivery-check.ts';
import type { Breakage } from './world/broken-build.ts';

/**
 * Builds that break a promise, each with the scenario that must find it. A harness that finds nothing is only credible if
 * it finds these.
 */
export interface BrokenBuild {
  readonly name: string;
  readonly scenario: string;
  /** What it must find. */
  readonly finds: keyof Findings | keyof DeliveryFindings;
  readonly breakages: readonly Breakage[];
}

export const brokenBuilds: readonly BrokenBuild[] = [
  {
    name: 'answers before it commits',
    scenario: 'kill',
    finds: 'lost',
    breakages: [
      {
        file: 'src/ingest/commit/group-commit.ts',
        from: 'this.#laneFor(submission, underway.isLarge).submit(submission);',
        to: `submission.settle({ kind: 'stored', submissionId: submission.lead.submissionId });
    submission.settle = () => {};
    this.#laneFor(submission, underway.isLarge).submit(submission);`,
      },
    ],
  },
  {
    name: 'answers before the spool has the lead',
    scenario: 'restart in outage',
    finds: 'lost',
    breakages: [
      {
        file: 'src/ingest/spool/journal.ts',
        from: `      this.#waiting.push({ payload, resolve, reject });
      this.#running ??= this.#run();`,
        to: `      resolve();
      this.#clock.deadline(300, () => {
        this.#waiting.push({ payload, resolve, reject });
        this.#running ??= this.#run();
      });`,
      },
    ],
  },
  {
    name: 'stores whatever the conflict',
    scenario: 'flapping',
    finds: 'doubled',
    breakages: [
      {
        file: 'migrations/0002_leads.sql',
        from: `  ruleset text not null,
  primary key (shard, workspace_id, submission_id)`,
        to: '  ruleset text not null',
      },
      {
        file: 'migrations/0024_keys_used_anew.sql',
        from: `r.ruleset)
      on conflict (shard, workspace_id, submission_id) do nothing;`,
        to: 'r.ruleset);',
      },
    ],
  },
  {
    name: 'makes a new id for each attempt to commit',
    scenario: 'cut',
    finds: 'doubled',
    breakages: [
      {
        file: 'src/ingest/commit/lane.ts',
        from: `    if (attempt.number > 1) await this.#deps.clock.sleep(retryPauseMs);
`,
        to: `    if (attempt.number > 1) await this.#deps.clock.sleep(retryPauseMs);
    for (const { submission } of batch) submission.renew(crypto.randomUUID());
`,
      },
    ],
  },
  {
    name: 'answers before the synchronous standby has the lead',
    scenario: 'both lost',
    finds: 'lost',
    breakages: [
      {
        file: 'src/db/durability.ts',
        from: 'synchronous_commit=on',
        to: 'synchronous_commit=local',
      },
    ],
  },
  {
    name: 'writes to a bucket without looking whether it is still there',
    scenario: 'citus bucket move',
    finds: 'lost',
    breakages: [
      {
        file: 'migrations/0029_buckets.sql',
        from: '  perform lock_shard_metadata(5, p_buckets);',
        to: '  return;',
      },
    ],
  },
];
