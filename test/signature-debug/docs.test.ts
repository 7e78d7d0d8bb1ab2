import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sign } from '../../src/domain/signature.ts';
import { debugSignature } from '../../src/domain/signature-debug/debug.ts';
import { fixCode } from '../../src/domain/signature-debug/fix.ts';
import { mistakeCodes, mistakes } from '../../src/domain/signature-debug/mistakes.ts';
import { sentOnce } from '../../src/domain/signature-debug/request.ts';

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

test('the debugger page lists every mistake', () => {
  for (const code of mistakeCodes) {
    const { title, found, fix } = mistakes[code];
    expect(page('signature-debugger.md')).toContain(`| \`${code}\` | ${title} | ${found} | ${fix} |`);
  }
});

test('the test vector on the signing page is correct', () => {
  const value = (name: string) =>
    new RegExp(`^\\| ${name} \\| \`(.*)\` \\|$`, 'm').exec(page('signing.md'))?.[1] as string;
  const body = Buffer.from(value('body'));
  expect(value('string to sign')).toBe(`${value('timestamp')}.${value('body')}`);
  expect(sign(value('secret'), value('timestamp'), body).toString('hex')).toBe(value('signature'));
  const found = debugSignature({
    request: {
      timestamp: sentOnce(value('timestamp')),
      signature: sentOnce(value('signature')),
      body,
      contentType: null,
      whole: null,
      claimedBody: null,
    },
    secrets: [{ kind: 'current', value: value('secret') }],
    at: Number(value('timestamp')) * 1000,
    headerPrefix: 'X-SVC-',
    slug: null,
  });
  expect(found.isValid).toBe(true);
});

test('every mistake has a fix in every language, with the configured header names', () => {
  for (const code of mistakeCodes) {
    for (const snippet of Object.values(fixCode(code, 'X-Acme-'))) {
      expect(snippet).toContain(mistakes[code].fix);
      expect(snippet.split('\n').length).toBeGreaterThan(1);
      expect(snippet).not.toContain('X-SVC-');
    }
  }
});
