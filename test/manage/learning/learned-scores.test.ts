import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FormLearning } from '../../../src/contract/scoring/learning.ts';
import { eventually } from '../../support/diagnostics.ts';
import { createSender, post, type Sender, submissionIdOf } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Seed } from '../leads/seed.ts';
import { drones, many, ordinary, TaughtForm } from './taught-form.ts';

let service: TestService;
let second: TestService;
let seed: Seed;
let sender: Sender;
let form: TaughtForm;
let learned: FormLearning;

beforeAll(async () => {
  service = await startTestService();
  second = await startTestService({ databaseUrl: service.databaseUrl });
  seed = new Seed(service);
  sender = await createSender(service);
  form = new TaughtForm(service, seed, sender.workspaceId, sender.formId);
  for (const fields of many(20, ordinary)) await send(fields);
  const ids: string[] = [];
  for (const fields of many(10, drones)) ids.push((await send(fields)).submission_id);
  await form.mark(ids, 'spam');
  await form.until(({ state }) => state === 'learned');
  // The last mark may have been learned from and still be due. What is sent below has no mark and must not be learned from.
  learned = await form.settled();
  // Either instance may have learned, and the other one knows it within a second.
  let n = 100;
  for (const instance of [service, second])
    await eventually(() => send(drones(n++), instance), isLearned, 20_000);
});
afterAll(async () => {
  await seed.stop();
  await second.stop();
  await service.stop();
});

async function send(fields: object, instance: TestService = service) {
  const id = submissionIdOf(await post(instance, sender, 'server', JSON.stringify(fields)));
  return (await service.api('GET', `/workspaces/${sender.workspaceId}/leads/${id}`)).json;
}

const isLearned = ({ ruleset }: { ruleset: string }) => ruleset.includes('+learned.');
const codes = (lead: { reasons: { code: string }[] }) => lead.reasons.map(({ code }) => code);

async function setLearning(enabled: boolean): Promise<void> {
  await service.api('PUT', form.path, { settings: { learning: { enabled } } });
}

test('after ten leads are marked as spam, the next similar lead says so, with points that add up', async () => {
  const lead = await send(drones(41));
  const finding = lead.reasons.find(({ code }: { code: string }) => code === 'LEARNED_SPAM');
  expect(finding).toMatchObject({ family: 'tenant', axis: 'risk' });
  expect(finding.points).toBeGreaterThan(0);
  expect(finding.points).toBeLessThanOrEqual(20);
  expect(finding.text).toMatch(/^Similar to leads you marked as spam: "[a-z]+", "[a-z]+", "[a-z]+"$/);
  expect(lead.risk).toBe(
    lead.reasons.reduce((sum: number, { points }: { points: number }) => sum + points, 0),
  );
  expect(lead.ruleset).toMatch(new RegExp(`\\+learned\\.${learned.number}$`));
});

test('a lead unlike them is scored as before', async () => {
  expect(codes(await send(ordinary(42)))).not.toContain('LEARNED_SPAM');
});

test('other instances score with it too', async () => {
  expect(codes(await send(drones(43), second))).toContain('LEARNED_SPAM');
});

test('the score of a lead is explained with what was learned', async () => {
  const { submission_id } = await send(drones(44));
  const { json } = await service.api('GET', `/workspaces/${sender.workspaceId}/leads/${submission_id}/score`);
  expect(json.risk.reasons.map(({ code }: { code: string }) => code)).toContain('LEARNED_SPAM');
});

test('a lead that is too costly for the main thread is scored with it as well', async () => {
  const nested = JSON.parse(`${'{"a":'.repeat(40)}{}${'}'.repeat(40)}`);
  const filler = Object.fromEntries(many(3_000, (n) => [`k${n}`, n]));
  expect(codes(await send({ ...drones(45), nested, filler }))).toContain('LEARNED_SPAM');
});

test('the dry run shows what turning it off or on would change', async () => {
  await service.api('PUT', form.path, { settings: { thresholds: { suspect: 5, spam: 70 } } });
  const dryRun = async (enabled: boolean) => {
    const settings = { thresholds: { suspect: 5, spam: 70 }, learning: { enabled } };
    return (await service.api('POST', `${form.path}/dry-run`, { settings })).json;
  };
  const off = await dryRun(false);
  expect(off.by_change).toEqual([{ from: 'suspect', to: 'clean', count: expect.any(Number) }]);
  expect(codes(off.examples[0].from)).toContain('LEARNED_SPAM');
  expect(codes(off.examples[0].to)).not.toContain('LEARNED_SPAM');
  expect((await dryRun(true)).changed).toBe(0);
  await service.api('PUT', form.path, {
    settings: { thresholds: { suspect: 5, spam: 70 }, learning: { enabled: false } },
  });
  expect((await dryRun(true)).by_change[0]).toMatchObject({ from: 'clean', to: 'suspect' });
  await setLearning(true);
});

test('a form that does not learn scores as without marks, and its ruleset says so', async () => {
  await setLearning(false);
  const lead = await send(drones(46));
  expect(codes(lead)).not.toContain('LEARNED_SPAM');
  expect(lead.ruleset).not.toContain('learned');
  await setLearning(true);
  const again = await send(drones(47));
  expect(codes(again)).toContain('LEARNED_SPAM');
  expect(again.ruleset).toMatch(/\+form\.\d+\+learned\.\d+$/);
  const { status } = await service.api(
    'GET',
    `/workspaces/${sender.workspaceId}/leads/${again.submission_id}/score`,
  );
  expect(status).toBe(200);
});

test('a form that was told to forget scores as without marks from then on', async () => {
  await service.api('DELETE', `${form.path}/learning`);
  expect(codes(await send(drones(48)))).not.toContain('LEARNED_SPAM');
});
