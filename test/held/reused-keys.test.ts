import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import { createSender, post, senderSurfaces, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { HeldWorld } from './held-world.ts';

let service: TestService;
let world: HeldWorld;

beforeAll(async () => {
  service = await startTestService();
  world = new HeldWorld(service);
});
afterAll(async () => {
  await world.pool.end();
  await service.stop();
});

const lead = (n: number) => JSON.stringify({ email: `ada${n}@example.com`, message: 'hello' });

describe.each(senderSurfaces)('on the %s surface', (surface) => {
  test('different leads under one key are held from the first on, each body once, and become leads of their own', async () => {
    const sender = await createSender(service);
    const send = (n: number) => post(service, sender, surface, lead(n), { key: 'constant' });
    const first = await send(0);
    for (const n of [1, 2, 2, 1, 0]) expect((await send(n)).body).toBe(first.body);
    const rows = await world.waitFor(sender, 2);
    await world.written();
    expect(await world.rowsOf(sender)).toHaveLength(2);
    expect(rows.map(({ reason, class: kind }) => [reason, kind])).toEqual([
      ['idempotency_key_reused', 'B'],
      ['idempotency_key_reused', 'B'],
    ]);
    for (const { id } of rows) {
      const at = `/workspaces/${sender.workspaceId}/held/${id}/admission`;
      const { status, json } = await service.api('POST', at, {});
      expect(status).toBe(201);
      expect(json.submission_id).not.toBe(submissionIdOf(first));
      expect((await service.api('POST', at, {})).json.submission_id).toBe(json.submission_id);
    }
    const leads = await leadsOf(service, sender);
    expect(leads.map(({ fields }: { fields: { email: string } }) => fields.email).toSorted()).toEqual(
      [0, 1, 2].map((n) => `ada${n}@example.com`),
    );
    // The key still belongs to the first lead.
    expect((await send(1)).body).toBe(first.body);
  });
});

test('what is noted of a reused key tells persons and credentials apart, and contains neither', async () => {
  const sender = await createSender(service);
  const send = (body: string, key: string) => post(service, sender, 'server', body, { key });
  for (const body of [
    lead(0),
    lead(1),
    '{"email":"ADA1@example.com","message":"again"}',
    '{"n":1}',
    'no json',
  ])
    await send(body, 'constant');
  for (const n of [5, 6]) await send(lead(n), sender.token);
  await eventually(
    () => diagnosticsOf(service, sender),
    ({ notes }) => notes.length === 5,
  );
  const { rows } = await world.pool.query(
    `select encode(key_hash, 'hex') as key, encode(person_hash, 'hex') as person, is_secret from diagnostic_notes
     where workspace_id = $1 order by at, id`,
    [sender.workspaceId],
  );
  const [one, same, nobody, none, secret] = rows;
  expect(one.person).toBe(same.person);
  expect([nobody.person, none.person]).toEqual([null, null]);
  expect(new Set([one, same, nobody, none].map(({ key }) => key)).size).toBe(1);
  expect([one.is_secret, secret.is_secret]).toEqual([false, true]);
  expect(JSON.stringify(rows)).not.toContain(sender.token);
});
