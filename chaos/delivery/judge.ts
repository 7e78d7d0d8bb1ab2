import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type FeedEvent, readFeed } from '../../bench/delivery/feed-reader.ts';
import { formatCount } from '../../bench/report.ts';
import type { Stage } from '../scenario.ts';
import { checkDeliveries, doublesShareMax } from './delivery-check.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import type { LeadFacts } from './destinations.ts';
import type { Receivers } from './receivers.ts';

const pollMs = 250;
/** Leases of killed instances have to expire, and what failed last waits for its next try. */
const deliveredMsMax = 600_000;
/** Receivers fail until so few deliveries are left, and the last ones need not wait for each other. */
const calmBelow = 200;

/** Waits until there is nothing left to send, then compares what arrived with what happened. */
export async function judgeDeliveries(stage: Stage): Promise<void> {
  const { destinations, receivers, readers, eraser } = stage.delivery as DeliveryWorld;
  const port = stage.instances[0]?.port as number;
  await eraser.finish();
  const url = stage.databaseUrl();
  const startedAt = Date.now();
  const left = await untilDelivered(url, receivers);
  const seconds = (Date.now() - startedAt) / 1_000;
  if (left > 0)
    stage.fault(`${left} notes and deliveries still wait ${seconds.toFixed(0)} s after the faults`);
  await Promise.all(readers.map((reader) => reader.finish()));
  for (const { refusal } of readers) if (refusal !== null) stage.fault(refusal);
  const feeds = new Map<string, FeedEvent[]>();
  for (const { workspaceId } of readers) feeds.set(workspaceId, await readFeed(port, workspaceId));
  const { findings, figures } = checkDeliveries({
    destinations,
    feeds,
    received: receivers.received,
    readings: new Map(readers.map(({ workspaceId, events }) => [workspaceId, events])),
    leads: await readLeads(url),
    erased: eraser.erased,
    unsigned: receivers.unsigned,
    trapped: receivers.trapped,
  });
  const { events, wanted, doubles, failures } = figures;
  stage.note(
    `${formatCount(events)} events, ${formatCount(wanted)} deliveries wanted, ${findings.undelivered.length} lost, ${formatCount(failures)} failed tries`,
  );
  stage.note(
    `${doubles} doubles, ${((100 * doubles) / Math.max(1, wanted)).toFixed(3)} % (limit ${100 * doublesShareMax} %), all with the same ID unless said otherwise`,
  );
  stage.note(
    `${eraser.erased.length} leads were erased; all was delivered ${seconds.toFixed(1)} s after the spools were empty`,
  );
  stage.found(findings);
}

/** Returns how many notes and deliveries are left when the time is up. */
async function untilDelivered(url: string, receivers: Receivers): Promise<number> {
  for (const deadline = Date.now() + deliveredMsMax; ; await sleep(pollMs)) {
    const [row] = await query<{ readonly left: string }>(
      url,
      `select (select count(*) from enrichment_outbox)
         + (select count(*) from deliveries where state = 'pending') as left`,
    );
    const left = Number(row?.left);
    if (left < calmBelow || Date.now() > deadline - deliveredMsMax / 2) receivers.calmDown();
    if (left === 0 || Date.now() > deadline) return left;
  }
}

async function readLeads(url: string): Promise<Map<string, LeadFacts>> {
  const rows = await query<LeadFacts & { readonly submissionId: string }>(
    url,
    `select submission_id as "submissionId", workspace_id as "workspaceId", coalesce(fields, convert_from(body, 'UTF8')::jsonb) ->> 'company' as company, verdict
     from leads`,
  );
  return new Map(rows.map(({ submissionId, ...lead }) => [submissionId, lead]));
}

async function query<Row extends pg.QueryResultRow>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
