import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eventId } from '../../../src/domain/destination/request/event-id.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { join } from '../../support/browser/browser.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { createWorkspace, Seed } from '../leads/seed.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;
let path: string;

beforeAll(async () => {
  // Only the tests add events.
  service = await startTestService({ env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/events`;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

/** As the relay does: the next number of the shard, in the transaction of the event. */
async function addEvent(type = 'lead.accepted', values: Record<string, unknown> = {}): Promise<number> {
  const { submission_id = randomUUID(), data = null, at = '2026-11-15T08:00:00Z' } = values;
  const [{ id }] = await seed.query(
    `with counter as (
       insert into event_counters as c (shard, workspace_id, last) values ($1, $2, 1)
       on conflict (shard, workspace_id) do update set last = c.last + 1 returning last
     )
     insert into lead_events (shard, workspace_id, id, type, submission_id, at, data)
     select $1, $2, last, $3, $4, $5, $6 from counter returning id::int`,
    [shardOf(workspaceId), workspaceId, type, submission_id, at, data],
  );
  return id;
}

/** Resolves when the service looks for the next event, which it does only while a call waits. */
async function waited(): Promise<void> {
  const [{ now }] = await seed.query('select clock_timestamp() as now');
  await vi.waitFor(async () => {
    const looks = await seed.query(
      `select from pg_stat_activity where pid <> pg_backend_pid() and query_start > $1
         and query like '%from event_counters%' and datname = current_database()`,
      [now],
    );
    expect(looks).not.toEqual([]);
  }, 5_000);
}

test('the feed has every event, oldest first, and continues after the last one', async () => {
  const submissionId = randomUUID();
  const first = await addEvent('lead.accepted', { submission_id: submissionId });
  const data = { id: randomUUID(), name: 'CRM', reason: 'gone' };
  const second = await addEvent('destination.disabled', { submission_id: null, data });
  const { status, json } = await service.api('GET', path);
  const event = { workspaceId, number: first, type: 'lead.accepted', submissionId } as const;
  expect([status, json]).toEqual([
    200,
    {
      items: [
        {
          id: eventId(event),
          cursor: String(first),
          type: 'lead.accepted',
          at: '2026-11-15T08:00:00.000Z',
          submission_id: submissionId,
          data: null,
        },
        expect.objectContaining({
          cursor: String(second),
          type: 'destination.disabled',
          submission_id: null,
          data,
        }),
      ],
      next_cursor: String(second),
    },
  ]);
  const none = await service.api('GET', `${path}?after=${json.next_cursor}`);
  expect(none.json).toEqual({ items: [], next_cursor: json.next_cursor });
  const third = await addEvent();
  const next = await service.api('GET', `${path}?after=${json.next_cursor}`);
  expect(next.json.items.map(({ cursor }: { cursor: string }) => cursor)).toEqual([String(third)]);
});

test('pages of any size have no gap and no double, and none of another workspace', async () => {
  const numbers: string[] = [];
  const mine = workspaceId;
  for (let n = 0; n < 7; n++) {
    workspaceId = mine;
    numbers.push(String(await addEvent()));
    workspaceId = `${randomUUID().slice(0, -2)}${mine.slice(-2)}`;
    await addEvent();
  }
  const read: string[] = [];
  for (let after = '0'; ; ) {
    const { items, next_cursor } = (await service.api('GET', `${path}?limit=3&after=${after}`)).json;
    read.push(...items.map(({ cursor }: { cursor: string }) => cursor));
    if (items.length === 0) break;
    after = next_cursor;
  }
  expect(read).toEqual(numbers);
});

test('an empty feed has a cursor to continue from', async () => {
  const { json } = await service.api('GET', path);
  expect(json).toEqual({ items: [], next_cursor: '0' });
  await addEvent();
  expect((await service.api('GET', `${path}?after=0`)).json.items).toHaveLength(1);
});

test('the same events come as lines', async () => {
  await addEvent();
  await addEvent('lead.marked', { data: { mark: 'spam' } });
  const { items } = (await service.api('GET', path)).json;
  const { text, headers } = await service.api('GET', `${path}/ndjson`);
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line))).toEqual(items);
  const rest = await service.api('GET', `${path}/ndjson?after=${items.at(-1).cursor}`);
  expect([rest.status, rest.text]).toEqual([200, '']);
});

test('a cursor that no event can have is refused, so that nothing is missed after a backup was restored', async () => {
  const last = await addEvent();
  const { status, json } = await service.api('GET', `${path}?after=${last + 1_000}`);
  expect([status, json.code]).toEqual([422, 'invalid_cursor']);
  expect(json.detail).toMatch(/backup/);
});

test.each(['after=x', 'after=-1', 'limit=0', 'limit=1001', 'wait=26', 'wait=-1', 'before=1'])(
  '%s is refused',
  async (query) => {
    expect((await service.api('GET', `${path}?${query}`)).status).toBe(422);
  },
);

test('a call that waits returns the event as soon as there is one', async () => {
  const waiting = service.api('GET', `${path}?wait=25`);
  await waited();
  const number = await addEvent();
  const { json } = await waiting;
  expect(json.next_cursor).toBe(String(number));
});

test('a call that waits without success returns the cursor that it was given', async () => {
  const number = await addEvent();
  const { json } = await service.api('GET', `${path}?after=${number}&wait=1`);
  expect(json).toEqual({ items: [], next_cursor: String(number) });
});

test('a key that is revoked while it waits gets no event', async () => {
  const { id, key } = await createApiKey(service, workspaceId, ['events:read']);
  const waiting = callWithKey(service, key, 'GET', `${path}?wait=25`);
  await waited();
  await service.api('DELETE', `/workspaces/${workspaceId}/api-keys/${id}`);
  await addEvent();
  expect((await waiting).status).toBe(401);
});

test('a member who is removed while they wait gets no event', async () => {
  const member = await join(service, workspaceId, `${randomUUID()}@example.com`, 'member');
  const { user } = (await member.api('GET', '/me')).json;
  const waiting = member.api('GET', `${path}?wait=25`);
  await waited();
  await service.api('DELETE', `/workspaces/${workspaceId}/members/${user.id}`);
  await addEvent();
  expect((await waiting).status).toBe(404);
});

test('a caller can wait in a few calls at a time, and waiting ends when the service stops', async () => {
  const limited = await startTestService({
    databaseUrl: service.databaseUrl,
    env: { ROLE: 'manage' },
    readerLimits: { inProgressMax: 1, waitingMax: 0 },
  });
  const { key } = await createApiKey(service, workspaceId, ['events:read']);
  const waiting = callWithKey(limited, key, 'GET', `${path}?wait=25`);
  await waited();
  const refused = await callWithKey(limited, key, 'GET', path);
  expect([refused.status, refused.json.code]).toEqual([429, 'too_many_in_progress']);
  const stopped = limited.stop();
  expect((await waiting).json).toEqual({ items: [], next_cursor: '0' });
  await stopped;
});
