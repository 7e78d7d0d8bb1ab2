import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliScript, operatorOf } from '../support/command-line.ts';
import { diagnosticsOf, eventually } from '../support/diagnostics.ts';
import { createSender, post, type Sender, someLead } from '../support/sender.ts';
import { operatorKey, startTestService, type TestService } from '../support/service.ts';

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

test('tail tells each outcome once, while it happens, as a line of JSON', async () => {
  const child = spawn(
    process.execPath,
    [cliScript, 'tail', '--workspace', sender.workspaceId, '--interval', '1s', '--json'],
    { env: { PATH: process.env.PATH ?? '', LEADGATE_URL: service.url, OPERATOR_KEY: operatorKey } },
  );
  const lines: Line[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  try {
    // It says that it watches before it asks for the first time; what it sees then is the past.
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
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
});

test('tail tells the past when asked, counts what is past the cap of single entries, and adds no colour to a pipe', async () => {
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
