import type { z } from 'zod';
import type { eventsQuery, FeedEvent } from '../../../contract/destinations/events.ts';
import * as contract from '../../../contract/destinations/events.ts';
import { type EventRecord, findLastNumber, listEvents } from '../../../db/relay/event-feed.ts';
import { eventId } from '../../../domain/destination/request/event-id.ts';
import { secondMs } from '../../../time/clock.ts';
import { authenticateWith, requireAccess, requireRole } from '../../calls/access.ts';
import { chunksOf, streamOfText } from '../../calls/json-text.ts';
import { Problem } from '../../calls/problem.ts';
import { type Asked, route } from '../../calls/route.ts';
import type { ManagementDeps } from '../../deps.ts';

type FeedQuery = z.output<typeof eventsQuery>;
type FeedAsked = Pick<Asked<'/workspaces/:workspace_id/events', FeedQuery>, 'params' | 'query' | 'client'> &
  Pick<Asked, 'ended' | 'hungUp'>;

interface Feed {
  readonly after: number;
  readonly events: readonly EventRecord[];
}

export const eventRoutes = [
  route(contract.listEvents, async (asked, deps) => {
    const { after, events } = await readFeed(asked, deps);
    const items = events.map((event) => viewEvent(asked.params.workspace_id, event));
    return { items, next_cursor: items.at(-1)?.cursor ?? String(after) };
  }),
  route(contract.readEventLines, async (asked, deps) => {
    const { events } = await readFeed(asked, deps);
    const lines = events
      .values()
      .map((event) => `${JSON.stringify(viewEvent(asked.params.workspace_id, event))}\n`);
    return new Response(streamOfText(chunksOf(lines)), {
      headers: { 'content-type': 'application/x-ndjson' },
    });
  }),
];

async function readFeed(
  { params: { workspace_id: workspaceId }, query, client, ended, hungUp }: FeedAsked,
  deps: ManagementDeps,
): Promise<Feed> {
  const after = await numberOf(deps, workspaceId, query.after);
  const read = async () => ({
    after,
    events: await listEvents(deps.pool, workspaceId, { after, limit: query.limit }),
  });
  const feed = await read();
  if (feed.events.length > 0) return feed;
  await requireGivenNumber(deps, workspaceId, after);
  if (query.wait === 0) return feed;
  await deps.eventWaiters.wait(workspaceId, after, query.wait * secondMs, [ended, hungUp]);
  await requireAccessStill(deps, workspaceId, client);
  return read();
}

async function numberOf(
  { pool }: ManagementDeps,
  workspaceId: string,
  after: FeedQuery['after'],
): Promise<number> {
  return after === contract.latestEvent ? findLastNumber(pool, workspaceId) : Number(after ?? 0);
}

/** A database that was restored counts again from an earlier number. Whoever waited for a later one would miss events. */
async function requireGivenNumber(
  { pool }: ManagementDeps,
  workspaceId: string,
  after: number,
): Promise<void> {
  if (after === 0 || after <= (await findLastNumber(pool, workspaceId))) return;
  throw new Problem(
    'invalid_cursor',
    'There is no such event. If the service was restored from a backup, start again without `after`.',
  );
}

/** A key can be revoked, and a person removed, while they wait. */
async function requireAccessStill(
  deps: ManagementDeps,
  workspaceId: string,
  client: Asked['client'],
): Promise<void> {
  const { access } = contract.listEvents;
  const { principal } = await authenticateWith(deps)(client, 'GET');
  requireAccess(principal, access, workspaceId);
  await requireRole(deps.pool, principal, workspaceId, access);
}

function viewEvent(workspaceId: string, { number, type, at, submissionId, data }: EventRecord): FeedEvent {
  return {
    id: eventId({ workspaceId, number, type, submissionId }),
    cursor: String(number),
    type,
    at: at.toISOString(),
    submission_id: submissionId,
    data,
  };
}
