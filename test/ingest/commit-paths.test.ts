import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../src/time/clock.ts';
import { ManualClock } from '../support/clocks.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import {
  type Answer,
  createSender,
  expectRejected,
  type PostOptions,
  post,
  type Sender,
  senderSurfaces,
  someLead,
} from '../support/sender.ts';
import type { TestService } from '../support/service.ts';

/** What senders can rely on, wherever their leads are stored. */
describe.each(['PostgreSQL', 'the spool'])('leads stored by %s', (path) => {
  const clock = new ManualClock(Date.now());
  let world: OutageWorld;
  let service: TestService;
  let sender: Sender;

  beforeAll(async () => {
    world = await OutageWorld.create();
    service = await world.start({ clock, env: { COMMIT_DEADLINE_MS: '10000' } });
  });
  afterAll(() => world.close());

  beforeEach(async () => {
    await world.recover(service);
    sender = await createSender(service);
    if (path === 'the spool') await world.outage.begin();
  });

  function submit(body: string, options: PostOptions = {}): Promise<Answer> {
    return post(service, sender, 'server', body, options);
  }

  test.each(senderSurfaces)(
    'a lead on the %s surface is stored once, with its exact bytes and its score',
    async (surface) => {
      const body = '{ "email" : "ada@gmail.com", "note": "a\\u0000b", "huge": 1e400 }';
      const answer = await post(service, sender, surface, body);
      expect(answer.status).toBe(202);
      expect(answer.body).toMatch(/^\{"submission_id":"[0-9a-f-]{36}"\}$/);
      await world.recover(service);
      const [lead, ...others] = await leadsOf(service, sender);
      expect(others).toEqual([]);
      expect(lead).toMatchObject({
        surface,
        received_at: new Date(clock.now()).toISOString(),
        verdict: 'clean',
      });
      expect(lead.fields).toMatchObject({ note: 'a\uFFFDb', huge: '1e400' });
      const at = `/workspaces/${sender.workspaceId}/leads/${lead.submission_id}/body`;
      expect((await service.api('GET', at)).text).toBe(body);
    },
  );

  test('requests with one key, concurrent and later, on both surfaces, make one lead with one response', async () => {
    const together = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        post(service, sender, n % 2 === 0 ? 'server' : 'webhook', someLead, { key: 'k' }),
      ),
    );
    clock.advance(dayMs - 1);
    const later = await submit(someLead, { key: 'k' });
    expect(new Set([later, ...together].map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    await world.recover(service);
    expect(await leadsOf(service, sender)).toHaveLength(1);
  });

  test('without a key the same body twice makes two leads', async () => {
    const [one, two] = [await submit(someLead), await submit(someLead)];
    expect(one.body).not.toBe(two.body);
    await world.recover(service);
    expect(await leadsOf(service, sender)).toHaveLength(2);
  });

  test('a key used again with another body gets the original response, keeps the original lead and leaves a note', async () => {
    const first = await submit('{"n":1}', { key: 'k' });
    expect((await submit('{"n":2}', { key: 'k' })).body).toBe(first.body);
    expect((await submit('not JSON', { key: 'k' })).body).toBe(first.body);
    await world.recover(service);
    expect(await leadsOf(service, sender)).toMatchObject([{ fields: { n: 1 } }]);
    const notes = () =>
      world.query(`select kind from diagnostic_notes where workspace_id = '${sender.workspaceId}'`);
    expect(await eventually(notes, ({ length }) => length === 2)).toHaveLength(2);
  });

  test('a key can be used for a new lead after 24 hours', async () => {
    const first = await submit(someLead, { key: 'k' });
    clock.advance(dayMs);
    const second = await submit(someLead, { key: 'k' });
    expect(second.status).toBe(202);
    expect(second.body).not.toBe(first.body);
    expect((await submit(someLead, { key: 'k' })).body).toBe(second.body);
    await world.recover(service);
    expect(await leadsOf(service, sender)).toHaveLength(2);
  });

  test('over the minute limit, new leads are rejected until the next minute, and duplicates are not', async () => {
    const first = await submit(someLead, { key: 'first' });
    const answers = await Promise.all(Array.from({ length: 1_009 }, (_, n) => submit(`{"n":${n}}`)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(999);
    expectRejected(await submit(someLead, { key: 'new' }));
    expect((await submit(someLead, { key: 'first' })).body).toBe(first.body);
    expect((await post(service, sender, 'webhook')).status).toBe(202);
    clock.advance(minuteMs);
    expect((await submit(someLead, { key: 'new' })).status).toBe(202);
    await world.recover(service);
    const { totals } = await eventually(
      () => diagnosticsOf(service, sender),
      (found) => found.totals.accepted === 1_002 && found.totals.rate_limited === 11,
    );
    expect(totals).toMatchObject({ accepted: 1_002, rate_limited: 11, other: 0 });
  });
});
