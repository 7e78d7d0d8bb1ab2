import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/time/random.ts';
import { formatCount } from '../report.ts';
import { FeedReader, readFeed, readingErrors } from './feed-reader.ts';
import { sendLead } from './senders.ts';
import { createWorkspaces, type Row, type Stage, untilIdle } from './stage.ts';

const workspaceCount = 20;
const writerCount = 200;
const betweenMs = 1_000;

/** Many send leads while someone reads the feed of each workspace on and on. */
export async function measureFeed(stage: Stage): Promise<Row> {
  const { port } = stage;
  const workspaces = await createWorkspaces(stage, 'feed', workspaceCount);
  const readers = workspaces.map(
    ({ workspaceId }, seed) => new FeedReader(workspaceId, [port], new Random(seed)),
  );
  for (const reader of readers) reader.start();
  const seconds = stage.isQuick ? 20 : 600;
  const endsAt = Date.now() + seconds * 1_000;
  const accepted = new Map(workspaces.map(({ workspaceId }) => [workspaceId, new Set<string>()]));
  const write = async (number: number) => {
    const { token, workspaceId } = workspaces[number % workspaceCount] as (typeof workspaces)[number];
    await sleep((betweenMs * number) / writerCount);
    for (; Date.now() < endsAt; await sleep(betweenMs))
      accepted.get(workspaceId)?.add((await sendLead(port, token)).submissionId);
  };
  await Promise.all(Array.from({ length: writerCount }, (_, number) => write(number)));
  await untilIdle(stage);
  await Promise.all(readers.map((reader) => reader.finish()));
  const errors: string[] = [];
  let events = 0;
  for (const { workspaceId, events: reading, refusal } of readers) {
    if (refusal !== null) errors.push(refusal);
    const feed = await readFeed(port, workspaceId);
    const { gaps, isOrdered } = readingErrors(feed, reading);
    const leads = reading
      .filter(({ type }) => type === 'lead.accepted')
      .map(({ submission_id }) => submission_id);
    const known = accepted.get(workspaceId) as Set<string | null>;
    const isComplete = leads.length === known.size && leads.every((id) => known.has(id));
    errors.push(
      ...gaps,
      ...(isOrdered ? [] : ['not in order']),
      ...(isComplete ? [] : ['not the leads that were sent']),
    );
    events += reading.length;
  }
  return {
    figure: `feed under ${writerCount} writers for ${seconds} s`,
    measured: `${formatCount(events)} events, ${errors.length === 0 ? 'no errors' : errors.slice(0, 3).join('; ')}`,
    goal: 'gapless, no doubles, in order',
    isGood: errors.length === 0 && events > 0,
  };
}
