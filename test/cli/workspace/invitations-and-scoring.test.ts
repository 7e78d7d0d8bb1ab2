import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorOf } from '../../support/command-line/command-line.ts';
import { createSender, post } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let operator: ReturnType<typeof operatorOf>;

beforeAll(async () => {
  service = await startTestService();
  operator = operatorOf(service);
});
afterAll(() => service.stop());

test('a dry run of scoring settings prints each lead before and after, with the findings that moved', async () => {
  const own = await createSender(service);
  const sent = await post(service, own, 'server', '{"email":"someone@mailinator.com"}');
  expect(sent.status).toBe(202);
  const words = ['form', 'dry-run', own.slug, '--workspace', own.workspaceId];
  const { code, stdout, stderr } = await operator([...words, '--weight', 'EMAIL_DISPOSABLE=4']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 of 1 leads would get a different verdict')]);
  expect(stdout).toMatch(/suspect, risk 40, score \d+ +clean, risk 4, score \d+ +EMAIL_DISPOSABLE 40 → 4/);
  const none = await operator([...words, '--disable', 'EMAIL_DISPOSABLE', '--json']);
  expect(none.json.examples[0].moved).toContainEqual(
    expect.objectContaining({ code: 'EMAIL_DISPOSABLE', from: 40, to: null }),
  );
  expect((await operator([...words, '--weight', 'EMAIL_DISPOSABLE'])).code).toBe(2);
});

test('an invitation is created, listed, sent again with a new link, and withdrawn', async () => {
  const at = ['--workspace', (await createSender(service)).workspaceId];
  const made = await operator(['invitation', 'create', 'ada@example.com', '--role', 'owner', ...at]);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\/join#token=\S+\n$/) });
  const again = await operator(['invitation', 'send', 'ada@example.com', ...at]);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\/join#token=\S+\n$/) });
  expect(again.stdout).not.toBe(made.stdout);
  const statusOf = async (link: string) =>
    (await service.api('POST', '/invitations/preview', { token: link.trim().split('#token=')[1] })).status;
  expect([await statusOf(made.stdout), await statusOf(again.stdout)]).toEqual([404, 200]);
  const { stdout } = await operator(['invitation', 'list', ...at]);
  expect(stdout).toMatch(/ada@example\.com +owner +open +\S+ +operator/);
  expect((await operator(['invitation', 'withdraw', 'ada@example.com', '--yes', ...at])).code).toBe(0);
  expect(await statusOf(again.stdout)).toBe(404);
});

test('the list of workspaces says since when one is suspended, by whom and why', async () => {
  const { workspaceId } = await createSender(service);
  await operator(['workspace', 'suspend', workspaceId, '--reason', 'unpaid']);
  const { stdout } = await operator(['workspace', 'list']);
  expect(stdout).toMatch(/suspended since \d{4}-\S+Z by operator: unpaid/);
});
