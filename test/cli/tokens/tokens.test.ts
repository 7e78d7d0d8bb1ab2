import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorOf } from '../../support/command-line/command-line.ts';
import { createSender, post, type Sender, someLead } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let sender: Sender;
let operator: ReturnType<typeof operatorOf>;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  operator = operatorOf(service);
});
afterAll(() => service.stop());

const inWorkspace = () => ['--workspace', sender.workspaceId];
const listed = async () => (await operator(['token', 'list', '--json', ...inWorkspace()])).json;

test('a token is created with an expiry and handed over by a link, which prints it once', async () => {
  const made = await operator([
    ...['token', 'create', 'Agency', '--form', sender.slug, '--expires', '90d', '--hand-over'],
    ...inWorkspace(),
  ]);
  const link = made.stdout.trim();
  expect(link).toMatch(/\/handover#token=[\w-]+&key=[\w-]{43}$/);
  const token = (await listed()).find(({ name }: { name: string }) => name === 'Agency');
  const days = (Date.parse(token.expires_at) - Date.parse(token.created_at)) / 86_400_000;
  expect(Math.round(days)).toBe(90);
  expect(token).toMatchObject({
    handover_links: [{ created_by: null }],
    created_by: { kind: 'operator_key' },
  });
  // The service may be known by another name than its own, and needs no key.
  const here = link.replace(/^.*(?=\/handover)/, service.url);
  const opened = await operator(['token', 'open-link'], { input: here, env: { OPERATOR_KEY: '' } });
  expect(opened).toMatchObject({ code: 0, stderr: '' });
  expect((await post(service, { ...sender, token: opened.stdout.trim() }, 'server', someLead)).status).toBe(
    202,
  );
  const again = await operator(['token', 'open-link'], { input: here });
  expect([again.code, again.stdout]).toEqual([5, '']);
  const cut = await operator(['token', 'open-link'], { input: here.slice(0, -1) });
  expect([cut.code, cut.stdout]).toEqual([2, '']);
});

test('a token is rotated, shown with its health, and an existing one is handed over from standard input', async () => {
  const rotated = await operator(['token', 'rotate', 'Backend', '--grace', '1h', ...inWorkspace()]);
  const secret = rotated.stdout.trim();
  expect(secret).toMatch(/^ingt_srv_/);
  const [newest] = await listed();
  const shown = await operator(['token', 'show', newest.id, ...inWorkspace()]);
  expect(shown.stdout).toMatch(/Health +idle\. Put it in your backend and send a lead\./);
  const wrong = await operator(['token', 'hand-over', newest.id, ...inWorkspace()], { input: sender.token });
  expect([wrong.code, wrong.stdout]).toEqual([2, '']);
  const link = await operator(['token', 'hand-over', newest.id, ...inWorkspace()], { input: secret });
  expect(link.stdout).toMatch(/\/handover#token=/);
  const cancelled = await operator(['token', 'cancel-link', newest.id, ...inWorkspace()]);
  expect(cancelled.stdout).toBe('Cancelled 1 link.\n');
  const gone = link.stdout.trim().replace(/^.*(?=\/handover)/, service.url);
  expect((await operator(['token', 'open-link'], { input: gone })).code).toBe(5);
});
