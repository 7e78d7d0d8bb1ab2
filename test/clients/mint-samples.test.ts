import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type BrowserClaims,
  isTokenSignedWith,
  mintBrowserToken,
  type ReadToken,
  readBrowserToken,
} from '../../src/domain/browser/browser-token.ts';
import { newMintSecret } from '../../src/domain/browser/secrets.ts';
import { mintSecretKey } from '../../src/domain/browser/signing-keys.ts';

const folder = join(import.meta.dirname, '../../clients/samples');
const programs = { mjs: process.execPath, py: 'python3', php: 'php' } as const;
type Ending = keyof typeof programs;
const endings = Object.keys(programs) as Ending[];
const isInstalled = (ending: Ending) => spawnSync(programs[ending], ['--version']).status === 0;
const runnable = endings.filter((ending) => ending !== 'php' || isInstalled(ending));

const workspaceId = '0190d5a2-7c1e-7b3a-9f00-00000000000a';
const formId = 'ffffffff-0000-4000-8000-0123456789ab';
const secret = newMintSecret();

function mintedBy(ending: Ending, env: Record<string, string> = {}): ReadToken {
  const token = execFileSync(programs[ending], [join(folder, `mint.${ending}`)], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      LEADGATE_MINT_SECRET: secret,
      LEADGATE_WORKSPACE: workspaceId,
      LEADGATE_FORM: formId,
      LEADGATE_ORIGIN: 'https://shop.example.com:8443',
      ...env,
    },
  }).trim();
  const read = readBrowserToken(token);
  if (read === null) throw new Error(`This is no browser token: ${token}`);
  return read;
}

test.each(runnable)(
  'the sample mint.%s creates a token that the service accepts as signed by the secret',
  (ending) => {
    const bodyHash = 'a0'.repeat(32);
    const before = Math.floor(Date.now() / 1_000);
    const read = mintedBy(ending, { LEADGATE_EPOCH: '12', LEADGATE_BODY_HASH: bodyHash });
    const { kid, key } = mintSecretKey(secret);
    expect(read.kid).toBe(kid);
    expect(isTokenSignedWith(read, key)).toBe(true);
    expect(isTokenSignedWith(read, mintSecretKey(newMintSecret()).key)).toBe(false);
    const { issuedAt, expiresAt, ...claims } = read.claims;
    expect(claims).toEqual({
      workspaceId,
      formId,
      epoch: 12,
      origin: 'https://shop.example.com:8443',
      jti: expect.any(Buffer),
      bodyHash: Buffer.from(bodyHash, 'hex'),
      proof: 'backend',
    });
    expect(issuedAt).toBeGreaterThanOrEqual(before);
    expect(expiresAt - issuedAt).toBe(120);
  },
);

test.each(runnable)(
  'the sample mint.%s creates another token each time, for any lead and the first epoch',
  (ending) => {
    const [first, second] = [mintedBy(ending), mintedBy(ending)];
    expect(first.claims.jti.equals(second.claims.jti)).toBe(false);
    expect(first.claims).toMatchObject({ bodyHash: null, epoch: 1 });
  },
);

test.each(endings)('the sample mint.%s has all fields in order and fits on a screen', (ending) => {
  const text = readFileSync(join(folder, `mint.${ending}`), 'utf8');
  expect(text.split('\n').length).toBeLessThan(50);
  const list = /fields = \[([\s\S]+?)\n\]/.exec(text)?.[1] ?? '';
  const lines = list.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:#|\/\/)/.test(line));
  expect(lines).toHaveLength(11);
});

test('the format of a token that a backend signs does not change', () => {
  const claims: BrowserClaims = {
    workspaceId,
    formId,
    epoch: 3,
    origin: 'https://shop.example.com',
    issuedAt: 1_795_000_000,
    expiresAt: 1_795_000_120,
    jti: Buffer.alloc(16, 7),
    bodyHash: null,
    proof: 'backend',
  };
  expect(mintBrowserToken(claims, mintSecretKey('ingt_mint_test_vector'))).toBe(
    'ingt_br_ABFtNmZmMmJlNzBmNTYwNjllNQABMQAQAZDVonweezqfAAAAAAAACgAQ_____wAAQACAAAEjRWeJqwABMwAYaHR0cHM6Ly9zaG9wLmV4YW1wbGUuY29tAAoxNzk1MDAwMDAwAAoxNzk1MDAwMTIwABAHBwcHBwcHBwcHBwcHBwcHAAAAB2JhY2tlbmRiqqgYfg_p6MJ3RPto7HWZuwcBA_14KXJjM1RYMqlchQ',
  );
});
