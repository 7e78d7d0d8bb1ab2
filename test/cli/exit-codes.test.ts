import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf } from '../../scripts/pages/cli.ts';
import { createProgram, forEachCommand } from '../../src/cli/program.ts';
import { closeStages, stage } from '../clients/stage.ts';
import { type CliResult, leadgate, operatorOf, warmLeadgate } from '../support/command-line/command-line.ts';
import { createSender, type Sender, someLead } from '../support/sender.ts';
import { operatorKey, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;
let operator: ReturnType<typeof operatorOf>;
const scratch = mkdtempSync(join(tmpdir(), 'leadgate-test-'));
const id = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10';
const request = join(scratch, 'request.txt');

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  operator = operatorOf(service);
  writeFileSync(request, 'X-SVC-Timestamp: 1\n\n{}');
});
afterAll(async () => {
  await service.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** Every command that talks to the service with the operator key, with words that are right. */
const calls: readonly (readonly string[])[] = [
  ['workspace', 'list'],
  ['workspace', 'create', 'Engines'],
  ['workspace', 'suspend', 'Engines'],
  ['workspace', 'resume', 'Engines'],
  ['form', 'list'],
  ['form', 'create', 'Contact'],
  ['form', 'update', 'contact', '--active'],
  ['form', 'delete', 'contact', '--yes'],
  ['form', 'test', 'contact'],
  ['form', 'browser', 'contact'],
  ['form', 'learning', 'contact'],
  ['form', 'schema', 'export', 'contact'],
  ['form', 'schema', 'import', 'contact', request],
  ['form', 'dry-run', 'contact'],
  ['slug', 'list'],
  ['slug', 'find', 'contact'],
  ['slug', 'end-alias', 'contact', '--yes'],
  ['slug', 'release', 'contact', '--yes'],
  ['invitation', 'list'],
  ['invitation', 'create', 'ada@example.com'],
  ['invitation', 'send', 'ada@example.com'],
  ['invitation', 'withdraw', 'ada@example.com', '--yes'],
  ['token', 'list'],
  ['token', 'create', 'Backend', '--form', 'contact'],
  ['token', 'show', 'Backend'],
  ['token', 'rotate', 'Backend'],
  ['token', 'hand-over', 'Backend'],
  ['token', 'cancel-link', 'Backend'],
  ['token', 'revoke', 'Backend', '--yes'],
  ['secret', 'set', 'contact'],
  ['secret', 'rotate', 'contact'],
  ['secret', 'end', 'contact', '--yes'],
  ['lead', 'list'],
  ['lead', 'get', id],
  ['lead', 'export'],
  ['view', 'list'],
  ['view', 'create', 'Hot'],
  ['view', 'rename', 'Hot', 'Warm'],
  ['view', 'delete', 'Hot', '--yes'],
  ['lead', 'mark', 'spam', id],
  ['lead', 'erase', id, '--yes'],
  ['lead', 'undo', id],
  ['rejection', 'list'],
  ['rejection', 'groups'],
  ['rejection', 'get', id],
  ['rejection', 'dry-run', id],
  ['rejection', 'unattributed'],
  ['limits'],
  ['diagnose', request, '--form', 'contact'],
  ['tail', '--for', '0'],
];
// Sends as a sender would, without the operator key.
const withoutKey = ['lead send', 'token open-link'];

function expectSentence({ stdout, stderr }: CliResult): void {
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^\S.*[.)]\n$/);
  expect(stderr).not.toMatch(/^\s+at /m);
}

test('the list of calls is complete', () => {
  const groups = new Set(calls.map(([first]) => first));
  const paths: string[] = [];
  forEachCommand(createProgram(), (command) => {
    const path = pathOf(command);
    if (command.commands.length === 0 && groups.has(path[0])) paths.push(path.join(' '));
  });
  const known = paths.filter((path) => calls.some((words) => words.join(' ').startsWith(path)));
  expect([...known, ...withoutKey].toSorted()).toEqual(paths.toSorted());
});

// All commands of a group call the service in the same way.
const oneOfEach = [...Map.groupBy(calls, ([group]) => group).values()].map(([words = []]) => words);

describe.each(oneOfEach.map((words) => [words.join(' '), words] as const))('leadgate %s', (_name, words) => {
  const env = { LEADGATE_SECRET: 'a secret' };

  test('exits with 3 and a message if nothing responds, and with 4 if the key is wrong', async () => {
    const url = 'http://127.0.0.1:1';
    const [away, refused] = await Promise.all([
      operator(words, { env: { ...env, LEADGATE_URL: url } }),
      operator(words, { env: { ...env, OPERATOR_KEY: 'x'.repeat(32) } }),
    ]);
    expect(away.code).toBe(3);
    expect(away.stderr).toContain(url);
    expectSentence(away);
    expect(refused.code).toBe(4);
    expectSentence(refused);
  });
});

describe('3, unreachable', () => {
  test('as a process, output and exit code are what a script sees', async () => {
    const env = { LEADGATE_URL: 'http://127.0.0.1:1', OPERATOR_KEY: operatorKey };
    const result = await leadgate(['workspace', 'list'], { env });
    expect(result.code).toBe(3);
    expectSentence(result);
  });

  test('when a response is cut off: a partial export leaves no file and no complete JSON', async () => {
    const broken = await brokenService();
    const { port } = broken.address() as AddressInfo;
    const env = { LEADGATE_URL: `http://127.0.0.1:${port}` };
    const file = join(scratch, 'broken.json');
    const written = await operator(['lead', 'export', '--json', '--output', file], { env });
    expect(written.code).toBe(3);
    expectSentence(written);
    expect(() => rmSync(file)).toThrow('ENOENT');
    const shown = await operator(['lead', 'export', '--json'], { env });
    expect(shown).toMatchObject({ code: 3, json: undefined });
    broken.close();
  });

  test('when the database does not respond', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: scratch };
    const result = await warmLeadgate(['migrate'], { env });
    expect(result.code).toBe(3);
    expectSentence(result);
  });

  test('when leads cannot be sent', async () => {
    // A proxy that asks for more patience than the command has; without it, it would try again for a minute.
    const url = await stage((_request, response) =>
      response.writeHead(503, { 'Retry-After': '3600' }).end('<html>'),
    );
    const env = { LEADGATE_TOKEN: sender.token, LEADGATE_URL: url };
    const result = await warmLeadgate(['lead', 'send', someLead], { env });
    closeStages();
    expect(result.code).toBe(3);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });
});

/** Answers like the service, and leaves in the middle of an export. */
async function brokenService(): Promise<Server> {
  const server = createServer((incoming, response) => {
    if (!String(incoming.url).includes('/export'))
      return response.end(JSON.stringify({ items: [{ id, name: 'Engines' }], next_cursor: null }));
    response.writeHead(200, { 'Content-Length': '100000' }).write('{"submission_id":"1"}\n', () => {
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('4, forbidden', () => {
  test.each([
    ['without a key', {}, []],
    ['with a key file that is empty', {}, ['--key-file', '/dev/null']],
    ['with a key that no header can hold', { OPERATOR_KEY: `${'x'.repeat(32)}é` }, []],
  ])('%s', async (_what, env, words) => {
    const result = await warmLeadgate(['workspace', 'list', ...words], {
      env: { LEADGATE_URL: service.url, ...env },
    });
    expect(result.code).toBe(4);
    expectSentence(result);
  });
});

describe('2, usage', () => {
  const key = { OPERATOR_KEY: operatorKey };
  const nowhere = '/nowhere/at/all';
  test.each<[string, string[], Record<string, string>]>([
    ['a missing file to sign', ['sign', nowhere], { LEADGATE_SECRET: 'x' }],
    ['a folder to sign', ['sign', tmpdir()], { LEADGATE_SECRET: 'x' }],
    ['a missing request', ['diagnose', nowhere], { LEADGATE_SECRET: 'x' }],
    ['a missing request for the service', ['diagnose', nowhere, '--form', 'x'], key],
    ['a missing file of leads', ['lead', 'send', '--file', nowhere], { LEADGATE_TOKEN: 'x' }],
    ['a missing key file', ['workspace', 'list', '--key-file', nowhere], {}],
    ['a file below a file', ['workspace', 'list', '--key-file', '/dev/null/key'], {}],
    ['no secret, and nobody to ask', ['sign', request], {}],
    ['an address that is none', ['workspace', 'list'], { ...key, LEADGATE_URL: 'ftp://x' }],
    ['a time that is none', ['diagnose', request, '--received-at', 'noon'], { LEADGATE_SECRET: 'x' }],
    ['a duration that is none', ['tail', '--since', 'noon'], key],
    ['a help for nothing', ['help', 'form', 'paint'], {}],
  ])('%s gets one sentence', async (_what, words, env) => {
    const result = await warmLeadgate(words, { env, cwd: scratch });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  test('an export to a missing folder', async () => {
    const words = ['lead', 'export', '--workspace', sender.workspaceId, '--output', `${nowhere}/leads.csv`];
    const result = await operator(words);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(nowhere);
    expectSentence(result);
  });

  test.each([[['blub']], [['form', 'create']], [['lead', 'list', '--surface', 'fax']]])(
    '%s',
    async (words) => {
      const result = await operator(words);
      expect(result).toMatchObject({ code: 2, stdout: '' });
      expect(result.stderr).toContain('error:');
    },
  );
});

describe('5, missing', () => {
  test('for something that does not exist', async () => {
    const at = ['--workspace', sender.workspaceId];
    for (const words of [
      ['form', 'delete', 'nothing', '--yes', ...at],
      ['form', 'list', '--workspace', 'nothing'],
      ['lead', 'get', id, ...at],
      ['rejection', 'get', id, ...at],
      ['rejection', 'dry-run', id, ...at],
    ]) {
      const result = await operator(words);
      expect(result.code).toBe(5);
      expectSentence(result);
    }
  });

  test('for a missing backup or data directory', async () => {
    const env = { DATA_DIR: join(scratch, 'empty') };
    expect((await warmLeadgate(['restore', join(scratch, 'none')], { env })).code).toBe(5);
    expect((await warmLeadgate(['backup', join(scratch, 'new')], { env })).code).toBe(5);
    expect((await warmLeadgate(['backup', join(scratch, 'new')], { env: { DATA_DIR: request } })).code).toBe(
      5,
    );
  });
});

describe('6, conflict', () => {
  // A port that is taken is in test/start/start.test.ts.
  test('when a slug is not available', async () => {
    const words = ['form', 'create', 'Second', '--slug', sender.slug, '--workspace', sender.workspaceId];
    const result = await operator(words);
    expect(result.code).toBe(6);
    expectSentence(result);
  });
});
