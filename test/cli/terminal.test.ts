import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliScript, operatorOf } from '../support/command-line/command-line.ts';
import { onTerminal } from '../support/command-line/terminal.ts';
import { createSender, post, type Sender } from '../support/sender.ts';
import { operatorKey, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;
let operator: ReturnType<typeof operatorOf>;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  operator = operatorOf(service);
  env = { LEADGATE_URL: service.url, OPERATOR_KEY: operatorKey };
});
afterAll(() => service.stop());

const at = () => ['--workspace', sender.workspaceId];

describe('what cannot be undone', () => {
  const formIds = async () => {
    const { json } = await service.api('GET', `/workspaces/${sender.workspaceId}/forms`);
    return json.items.map((form: { id: string }) => form.id);
  };

  test('is refused with 2 without a terminal and without --yes, and nothing is changed', async () => {
    const own = await createSender(service);
    const within = ['--workspace', own.workspaceId];
    await operator(['secret', 'rotate', own.slug, '--overlap', '1h', ...within]);
    for (const words of [
      ['form', 'delete', own.slug, ...within],
      ['token', 'revoke', 'Backend', ...within],
      ['secret', 'end', own.slug, ...within],
    ]) {
      // What comes through a pipe is no answer; one command stands for all of them.
      const result = await operator(words, words[0] === 'form' ? { input: 'y\n' } : {});
      expect(result).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toContain('add --yes');
    }
    expect((await post(service, own, 'server')).status).toBe(202);
    // With the secret from before the rotation.
    expect((await post(service, own, 'webhook')).status).toBe(202);
  });

  test.each([
    ['y\r', 0],
    ['yes\r', 0],
    ['n\r', 1],
    ['\r', 1],
    ['\x04', 1],
    ['yellow\r', 1],
  ])('is asked about on a terminal: %j ends with %i', async (text, code) => {
    const made = await operator(['form', 'create', 'Old', ...at()]);
    const id = made.stdout.trim();
    const result = await onTerminal(['form', 'delete', id, ...at()], env, { after: '[y/N]', text });
    expect(result.code).toBe(code);
    expect((await formIds()).includes(id)).toBe(code !== 0);
  });
});

test('on a terminal a secret is typed first and hidden, then the input until Ctrl-D', async () => {
  const { code, screen } = await onTerminal(
    ['sign', '-', '--timestamp', '1750000000'],
    {},
    { after: 'Webhook secret: ', text: 'whsec_test\r' },
    { after: 'Ctrl-D', text: '{"email":"ada@example.com"}\x04\x04' },
  );
  expect(code).toBe(0);
  expect(screen).toContain('944edad83be510e9f6188f30f9c064ad180df68261c3bddf7a7723d62138f264');
  expect(screen).not.toContain('whsec_test');
});

describe('a hostile lead', () => {
  const escapes = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\r\u0008';

  test('cannot control the terminal of the person who lists, shows, exports or watches it', async () => {
    const lead = JSON.stringify({ name: `Eve${escapes}`, [`key${escapes}`]: { deep: escapes } });
    const { body } = await post(service, sender, 'server', lead);
    const { submission_id: id } = JSON.parse(body);
    for (const words of [
      ['lead', 'list'],
      ['lead', 'list', '--json'],
      ['lead', 'get', id],
      ['lead', 'get', id, '--json'],
      ['lead', 'export'],
      ['lead', 'export', '--format', 'ndjson'],
      ['lead', 'export', '--json'],
      ['tail', '--since', '1h', '--for', '0'],
    ]) {
      const { code, screen } = await onTerminal([...words, ...at()], env);
      expect(code).toBe(0);
      expect(screen).toContain(words.includes('tail') ? id : 'Eve');
      // Colours are ours; a terminal gets a carriage return with each line break of its own.
      const rest = screen.replaceAll(/\x1b\[\d+m/g, '').replaceAll('\r\n', '\n');
      expect(rest).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u);
    }
  });

  test('does not reach a terminal in a workbook', async () => {
    const { code, screen } = await onTerminal(['lead', 'export', '--format', 'xlsx', ...at()], env);
    expect({ code, screen: screen.trim() }).toEqual({
      code: 2,
      screen: 'A terminal cannot show an Excel file. Add --output leads.xlsx.',
    });
  });

  test('is the same value in JSON', async () => {
    const { json } = await operator(['lead', 'list', ...at(), '--json']);
    expect(json[0].fields.name).toBe(`Eve${escapes}`);
  });
});

describe('colour', () => {
  test('is only for terminals, and NO_COLOR turns it off', async () => {
    const words = ['lead', 'list', ...at()];
    expect((await onTerminal(words, env)).screen).toContain('\x1b[');
    expect((await onTerminal(words, { ...env, NO_COLOR: '1' })).screen).not.toContain('\x1b[');
    expect((await operator(words)).stdout).not.toContain('\x1b[');
  });
});

describe('output that nobody reads to its end', () => {
  const inShell = (line: string) =>
    promisify(execFile)('bash', ['--norc', '-c', line], {
      env: { ...env, PATH: process.env.PATH ?? '', NODE: process.execPath, CLI: cliScript },
    });

  test('ends a command quietly, as with head', async () => {
    // Several times of what a pipe holds.
    for (let row = 0; row < 12; row++)
      await post(service, sender, 'server', JSON.stringify({ row, text: 'x'.repeat(60_000) }));
    const workspace = sender.workspaceId;
    for (const words of ['lead export --format ndjson', 'lead export --json', 'lead list --json']) {
      const line = `"$NODE" "$CLI" ${words} --workspace ${workspace} | head -c 10 > /dev/null; echo \${PIPESTATUS[0]}`;
      expect(await inShell(line)).toEqual({ stdout: '0\n', stderr: '' });
    }
  });

  test('that cannot be written is an error in one sentence', async () => {
    const line = '"$NODE" "$CLI" workspace list > /dev/full; echo $?';
    const { stdout, stderr } = await inShell(line);
    expect(stdout).toBe('1\n');
    expect(stderr).toBe('The output: the disk is full (ENOSPC).\n');
  });
});
