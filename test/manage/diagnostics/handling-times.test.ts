import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnosticsOf, eventually } from '../../support/diagnostics.ts';
import { createSender, post, type Sender, someLead } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function handlingOf(sender: Sender, count: number, query = '') {
  const ask = async () => (await diagnosticsOf(service, sender, query)).handling;
  return eventually(ask, (handling) => handling.count >= count);
}

test('the time of every response of a workspace is measured, whether the lead was accepted, sent again or rejected', async () => {
  const [sender, other] = [await createSender(service), await createSender(service)];
  await post(service, sender, 'server', someLead, { key: 'one' });
  await post(service, sender, 'server', someLead, { key: 'one' });
  await post(service, sender, 'webhook', someLead, { secret: 'wrong' });
  await post(service, other, 'server');
  const handling = await handlingOf(sender, 3);
  expect(handling.count).toBe(3);
  expect(handling.p50_ms).toBeGreaterThan(0);
  expect(handling.p95_ms).toBeGreaterThanOrEqual(handling.p50_ms);
  expect((await handlingOf(sender, 3, '?surface=webhook')).count).toBe(3);
  expect((await handlingOf(other, 1)).count).toBe(1);
});

test('a range without requests has no handling time', async () => {
  const sender = await createSender(service);
  const handling = await handlingOf(sender, 0, '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z');
  expect(handling).toEqual({ count: 0, p50_ms: null, p95_ms: null });
});

test('what a sender sent in place of JSON is part of the sentence', async () => {
  const sender = await createSender(service);
  await post(service, sender, 'server', 'a=1', { headers: { 'Content-Type': 'text/plain; charset=latin1' } });
  await post(service, sender, 'server', '{', {});
  await post(service, sender, 'server', someLead, { headers: { 'Content-Encoding': 'br' } });
  const { items } = await eventually(
    () => diagnosticsOf(service, sender),
    (diagnostics) => diagnostics.items.length >= 3,
  );
  const sentences = items.map(({ sentence }: { sentence: string }) => sentence).toSorted();
  expect(sentences).toEqual([
    'The body of 1 byte is not valid JSON in UTF-8.',
    'The body was sent with Content-Encoding: br, which is not supported.',
    'The content type was text/plain; charset=latin1, not application/json in UTF-8.',
  ]);
});
