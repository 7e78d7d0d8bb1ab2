import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliScript, operatorOf } from '../support/command-line/command-line.ts';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import { createSender, post, type Sender, someLead } from '../support/sender.ts';
import { allItems, operatorKey, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(() => service.stop());

interface Line {
  readonly outcome: string;
  readonly reason: string | null;
  readonly count: number;
}

const sum = (lines: readonly Line[], key: string) =>
  lines
    .filter(({ outcome, reason }) => (reason ?? outcome) === key)
    .reduce((all, { count }) => all + count, 0);

test('tail shows each outcome once, as it happens, as a line of JSON', async () => {
  const child = spawn(
    process.execPath,
    [cliScript, 'tail', '--workspace', sender.workspaceId, '--interval', '1s', '--json'],
    { env: { PATH: process.env.PATH ?? '', LEADGATE_URL: service.url, OPERATOR_KEY: operatorKey } },
  );
  const lines: Line[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  try {
    // It says that it watches once it knows what is the past.
    await new Promise((resolve) => child.stderr.once('data', resolve));
    await eventually(
      async () => {
        await post(service, sender, 'server', 'not json');
        return sum(lines, 'body_not_json');
      },
      (told) => told > 0,
    );
    for (let i = 0; i < 3; i++) await post(service, sender, 'server');
    await post(service, sender, 'webhook', someLead, { secret: 'another' });
    await eventually(
      async () => [sum(lines, 'accepted'), sum(lines, 'signature_mismatch')],
      ([accepted, mismatch]) => accepted === 3 && mismatch === 1,
    );
    expect(sum(lines, 'accepted')).toBe(3);
    expect(sum(lines, 'signature_mismatch')).toBe(1);
    const stored = await leadsOf(service, sender);
    const told = lines.filter(({ outcome }) => outcome === 'accepted');
    expect(told).toEqual(
      stored.toReversed().map((lead) =>
        expect.objectContaining({
          at: lead.received_at,
          submission_id: lead.submission_id,
          form: sender.slug,
          form_id: sender.formId,
          verdict: lead.verdict,
          surface: 'server',
          count: 1,
        }),
      ),
    );
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
});

test('tail shows the past on request, counts rejections beyond the cap, and adds no colour to a pipe', async () => {
  const own = await createSender(service);
  const rejected = 150;
  for (let i = 0; i < rejected; i++) await post(service, own, 'server', '[]');
  const counted = await eventually(
    () => diagnosticsOf(service, own),
    ({ totals }) => totals.other === rejected,
  );
  expect(counted.totals.other).toBe(rejected);
  const operator = operatorOf(service);
  const words = ['tail', '--workspace', own.workspaceId, '--since', '10m', '--for', '0'];
  const { stdout } = await operator([...words, '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(sum(lines, 'body_not_object')).toBe(rejected);
  const text = await operator(words);
  expect(text.code).toBe(0);
  expect(text.stdout).toContain('body_not_object');
  expect(text.stdout).not.toContain('\x1b');
});

test('tail shows every past lead once, in order, across pages and equal times', async () => {
  const own = await createSender(service);
  const count = 450;
  const at = `/workspaces/${own.workspaceId}/leads?limit=200`;
  await Promise.all(
    Array.from({ length: count }, (_, row) => post(service, own, 'server', `{"row":${row}}`)),
  );
  const stored = await allItems(service, at);
  expect(stored).toHaveLength(count);
  const words = ['tail', '--workspace', own.workspaceId, '--since', '10m', '--for', '0'];
  const { stdout } = await operatorOf(service)([...words, '--json']);
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).submission_id);
  expect(ids).toEqual(stored.toReversed().map(({ submission_id }) => submission_id));
  const text = await operatorOf(service)(words);
  const [first] = text.stdout.split('\n');
  const { received_at, verdict, grade, score, submission_id } = stored.at(-1);
  expect(first).toBe(
    `${received_at} accepted ${verdict} ${grade} ${score} ${own.slug} server ${submission_id}`,
  );
});
