import type { Findings } from './check/check.ts';
import type { DeliveryFindings } from './delivery/delivery-check.ts';
import type { HeldFindings } from './held/held-check.ts';
import type { Breakage } from './world/broken-build.ts';

/**
 * Builds that break a promise, each with the scenario that must find it. A harness that finds nothing is only credible if
 * it finds these.
 */
export interface BrokenBuild {
  readonly name: string;
  readonly scenario: string;
  /** What it must find. */
  readonly finds: Finding;
  /** What else breaks with it. Anything more is another error, which proves nothing. */
  readonly also?: readonly Finding[];
  readonly breakages: readonly Breakage[];
}

type Finding = keyof Findings | keyof DeliveryFindings | keyof HeldFindings;

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
        from: `      this.#running ??= this.#run();`,
        to: `      resolve();
      this.#running ??= this.#clock.sleep(300).then(() => this.#run());`,
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
        file: 'migrations/0032_every_lead_is_noted.sql',
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
    also: ['lost', 'contradicted'],
    breakages: [
      {
        file: 'src/ingest/commit/lane/batch-commit.ts',
        from: `    if (attempt.number > 1) await clock.sleep(retryPauseMs);
`,
        to: `    if (attempt.number > 1) await clock.sleep(retryPauseMs);
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
  {
    name: 'notes a delivery as delivered before it sends it',
    scenario: 'delivery',
    finds: 'undelivered',
    breakages: [
      {
        file: 'src/deliver/line/tries.ts',
        from: '    const results = await channels[destination.kind].send(parcel, aborting);',
        to: `    const early = { meaning: 'delivered', disables: null, isLeadRefused: false, status: 200 } as const;
    const rest = { retryAfterMs: null, errorClass: null, error: null, head: null, ms: 0, sentTo: [] };
    for (const { delivery } of items) {
      const hoped = { destination, delivery, tried: { ...early, ...rest }, decision: { next: 'delivered' }, at } as const;
      await this.#settle(triedOutcome(hoped, this.#deps.secretBox));
    }
    const results = await channels[destination.kind].send(parcel, aborting);`,
      },
    ],
  },
  {
    name: 'makes the deliveries of an event twice, with no unique key against it',
    scenario: 'delivery',
    finds: 'repeated',
    breakages: [
      {
        file: 'migrations/0031_destinations.sql',
        from: 'create unique index if not exists deliveries_once',
        to: 'create index if not exists deliveries_once',
      },
      {
        file: 'src/relay/events.ts',
        from: '  await insertDeliveries(client, deliveries);',
        to: `  await insertDeliveries(client, deliveries);
  await insertDeliveries(
    client,
    deliveries.map((delivery) => ({ ...delivery, id: deps.randomness.uuid() })),
  );`,
      },
    ],
  },
  {
    name: 'sends to a destination whoever holds its lease',
    scenario: 'delivery',
    finds: 'repeated',
    breakages: [
      {
        file: 'src/db/deliver/destination-leases.ts',
        from: `sql\`wake_at <= \${now} and (until <= \${now} or instance_id = \${instanceId})
    or instance_id is not null and until <= \${now}\``,
        to: 'sql`true`',
      },
      {
        file: 'src/db/deliver/destination-leases.ts',
        from: `where instance_id = \${instanceId} and destination_id`,
        to: 'where destination_id',
      },
    ],
  },
  {
    name: 'numbers events without a lock until the commit',
    scenario: 'delivery',
    finds: 'gaps',
    breakages: [
      {
        file: 'src/db/relay/relay-lock.ts',
        from: `pg_try_advisory_xact_lock(hashtextextended('leadgate relay', 0)) as`,
        to: 'true as',
      },
      {
        // Otherwise a second relay would wait for the notes of the first.
        file: 'src/db/relay/outbox.ts',
        from: '})`;\n  const counted',
        to: '} for update skip locked)`;\n  const counted',
      },
      {
        file: 'src/db/relay/outbox.ts',
        from: '}) as waiting`;',
        to: '} for update skip locked) as waiting`;',
      },
      {
        file: 'src/relay/events.ts',
        from: 'await numbered(client, happened(notes, leads));',
        to: 'await numbered(deps.pool, happened(notes, leads));',
      },
      {
        file: 'src/relay/turn.ts',
        from: '    await wakeDestinations(client, await makeEvents(client, notes, leads, deps));',
        to: `    const dueAt = await makeEvents(client, notes, leads, deps);
    await deps.clock.sleep(500 * deps.randomness.fraction());
    await wakeDestinations(client, dueAt);`,
      },
    ],
  },
  {
    name: 'admits a held submission under an ID that nothing is derived from',
    scenario: 'held',
    finds: 'forgotten',
    also: ['readmitted'],
    breakages: [
      {
        file: 'src/manage/held/lead-ids.ts',
        from: '  const keyHash = keyOf(row);',
        to: `  if (row !== null) return [crypto.randomUUID()];
  const keyHash = keyOf(row);`,
      },
    ],
  },
  {
    name: 'keeps late requests as proven before it knows who sent them',
    scenario: 'held',
    finds: 'unproven',
    breakages: [
      {
        file: 'src/ingest/webhook-signature.ts',
        from: '  const proof = signature && isTimed ?',
        to: `  if (rejection?.reason === 'timestamp_outside_window' && signature === null)
    return new ProvenRejection(rejection.reason, {}, {
      form,
      token: null,
      signature: { digest: Buffer.alloc(32), isByFormerSecret: false, timestampSeconds: 0 },
      body,
    });
  const proof = signature && isTimed ?`,
      },
    ],
  },
  {
    name: 'keeps what was discarded although its time is over',
    scenario: 'held',
    finds: 'overstayed',
    breakages: [
      {
        file: 'src/db/held/held-removal.ts',
        from: `and expires_at <= \${now} limit`,
        to: `and expires_at <= \${now} and state <> 'discarded' limit`,
      },
    ],
  },
];
