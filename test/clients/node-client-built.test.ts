import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryDataDir } from '../support/command-line/process.ts';

/** The client as published: built, and resolved through its package.json. */
type Client = typeof import('../../clients/node/src/leadgate.ts');

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const { exports } = JSON.parse(readFileSync(join(root, 'clients/node/package.json'), 'utf8'));
const entry = join(root, 'clients/node', exports['.'].default);
const tsc = join(root, 'node_modules/.bin/tsc');
const scratch = temporaryDataDir();
let client: Client;

beforeAll(async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts['build:client']).toBe('tsc -p clients/node');
  await run(tsc, ['-p', 'clients/node'], { cwd: root });
  client = await import(entry);
});
afterAll(() => scratch.remove());

describe('the test vector of docs/signing.md', () => {
  const page = readFileSync(join(root, 'docs/signing.md'), 'utf8');
  const value = (name: string) => new RegExp(`^\\| ${name} \\| \`(.*)\` \\|$`, 'm').exec(page)?.[1] as string;
  const [secret, timestamp, body, signature] = ['secret', 'timestamp', 'body', 'signature'].map(value) as [
    string,
    string,
    string,
    string,
  ];
  const signed = { body, timestamp, signature, secrets: [secret], nowMs: Number(timestamp) * 1000 };

  test('is signed as documented', async () => {
    expect(await client.sign(secret, timestamp, body)).toBe(signature);
    expect(await client.sign(secret, timestamp, new TextEncoder().encode(body))).toBe(signature);
  });

  test.each([
    ['unchanged', {}],
    ['with the prefix', { signature: `sha256=${signature}` }],
    ['in upper case', { signature: signature.toUpperCase() }],
    ['with the previous secret', { secrets: ['whsec_newer', secret] }],
    ['with the current of two secrets', { secrets: [secret, 'whsec_older'] }],
    ['at the limit of the tolerance', { nowMs: (Number(timestamp) + 300) * 1000 }],
  ])('verifies %s', async (_case, change) => {
    expect(await client.verify({ ...signed, ...change })).toBe(true);
  });

  test.each([
    ['another body', { body: `${body} ` }],
    ['another timestamp', { timestamp: String(Number(timestamp) + 1) }],
    ['another secret', { secrets: ['whsec_newer'] }],
    ['no secret', { secrets: [] }],
    ['a truncated signature', { signature: signature.slice(2) }],
    ['one wrong digit', { signature: signature.replace(/.$/, '5') }],
    ['a timestamp that is too old', { nowMs: (Number(timestamp) + 301) * 1000 }],
    ['a timestamp that is too new', { nowMs: (Number(timestamp) - 301) * 1000 }],
    ['a smaller tolerance', { nowMs: (Number(timestamp) + 31) * 1000, toleranceSeconds: 30 }],
    ['a timestamp that is not a number', { timestamp: '17e8' }],
  ])('does not verify with %s', async (_case, change) => {
    expect(await client.verify({ ...signed, ...change })).toBe(false);
  });
});

test('a program that imports the client type-checks', async () => {
  const program = join(scratch.path, 'program.ts');
  writeFileSync(
    program,
    `import { Leadgate, type Submission } from '${entry}';
     const leadgate = new Leadgate({ url: 'https://leads.example.com', slug: 'a', secret: 'b' });
     export const result: Promise<Submission> = leadgate.submit({ email: 'ada@example.com' });
     // @ts-expect-error: a credential is needed
     new Leadgate({ url: 'https://leads.example.com' });`,
  );
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', ''];
  const { stdout } = await run(tsc, [...options, program], { cwd: scratch.path }).catch((error) => error);
  expect(stdout).toBe('');
});
