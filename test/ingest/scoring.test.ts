import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, type Sender, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(() => service.stop());

async function lead(fields: object): Promise<{ id: string; at: string }> {
  const id = submissionIdOf(await post(service, sender, 'server', JSON.stringify(fields)));
  return { id, at: `/workspaces/${sender.workspaceId}/leads/${id}` };
}

test('the score is stored with the lead before the 202, and its reasons add up to the risk', async () => {
  const { at } = await lead({ email: 'someone@mailinator.com', name: 'http://spam.example' });
  const { json } = await service.api('GET', at);
  const sum = json.reasons.reduce((total: number, { points }: { points: number }) => total + points, 0);
  expect(json).toMatchObject({ risk: sum, verdict: 'spam', score: 0, grade: 'E' });
});

test('a required field that is missing never rejects a lead; it shows in the reasons', async () => {
  const own = await createSender(service);
  const fields = [{ key: 'phone', required: true }];
  await service.api('PATCH', `/workspaces/${own.workspaceId}/forms/${own.formId}`, { fields });
  const answer = await post(service, own, 'server', '{"email":"ada@analytical.engine"}');
  expect(answer.status).toBe(202);
  const { json } = await service.api('GET', `/workspaces/${own.workspaceId}/leads/${submissionIdOf(answer)}`);
  expect(json.reasons).toMatchObject([{ code: 'FIELD_MISSING', field: 'phone' }]);
});

test('a clean lead is enriched afterwards, without the network', async () => {
  const { at } = await lead({ email: 'ada@gmail.com', phone: '+44 20 7946 0958' });
  const enriched = await eventually(
    async () => (await service.api('GET', at)).json,
    ({ enrichment }) => enrichment !== null,
  );
  expect(enriched.enrichment).toMatchObject({
    status: 'builtin_only',
    email: { domain: 'gmail.com', class: 'free' },
    phone: { e164: '+442079460958', country: 'GB' },
  });
});

test('a lead that is not clean is not enriched', async () => {
  const suspect = await lead({ email: 'x@mailinator.com' });
  const clean = await lead({ email: 'ada@gmail.com' });
  await eventually(
    async () => (await service.api('GET', clean.at)).json,
    ({ enrichment }) => enrichment !== null,
  );
  expect((await service.api('GET', suspect.at)).json).toMatchObject({ verdict: 'suspect', enrichment: null });
});
