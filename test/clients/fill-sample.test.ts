import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillSample, sampleLanguages } from '../../clients/fill-sample.ts';
import { createSender, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../../clients/samples');
const sample = (surface: string, ending: string) =>
  readFileSync(join(folder, `${surface}.${ending}`), 'utf8');
const surfaces = ['signed', 'token'] as const;
const everySample = sampleLanguages.flatMap(({ name, ending }) =>
  surfaces.map((surface) => ({ name, surface, code: sample(surface, ending), ending })),
);

describe.each(everySample)('the $surface sample in $name', ({ name, surface, code }) => {
  const values = { LEADGATE_URL: 'https://leads.example.com', LEADGATE_SLUG: 'contact-us' };
  const filled = fillSample(code, name, values, 'X-Acme-');

  test('contains the URL, the slug and the header names of the service, and no variables for them', () => {
    expect(filled).toContain('https://leads.example.com');
    if (surface === 'signed') expect(filled).toContain('contact-us');
    expect(filled).toContain(surface === 'signed' ? 'X-Acme-Signature' : 'X-Acme-Idempotency-Key');
    expect(filled).not.toMatch(/LEADGATE_(?:URL|SLUG)|X-SVC-/);
  });

  test('reads its secret from the environment unless a token is filled in', () => {
    const variable = surface === 'signed' ? 'LEADGATE_SECRET' : 'LEADGATE_TOKEN';
    expect(filled).toContain(variable);
    const whole = fillSample(code, name, { ...values, LEADGATE_TOKEN: 'ingt_srv_abc' }, 'X-Acme-');
    expect(whole.includes('ingt_srv_abc')).toBe(surface === 'token');
    expect(whole).not.toContain('LEADGATE_TOKEN');
  });

  test('differs from the file only in lines with a value', () => {
    const known = new Set(code.split('\n'));
    const changed = filled.split('\n').filter((line) => !known.has(line));
    for (const line of changed) expect(line).toMatch(/https:\/\/leads|contact-us|X-Acme-|process\.env/);
  });

  test('a URL with special characters cannot break out of its quotes', () => {
    const hostile = `https://x.example/'"\`$(id)#{1}\${1}\\ü`;
    const text = fillSample(code, name, { LEADGATE_URL: hostile }, 'X-SVC-');
    expect(text).toContain('https://x.example/%27%22%60%24%28id%29%23%7B1%7D%24%7B1%7D%5C%C3%BC');
  });
});

test('the curl samples can be pasted in a terminal without changing its shell options', () => {
  for (const surface of surfaces) {
    const pasted = fillSample(sample(surface, 'sh'), 'curl', {}, 'X-SVC-');
    expect(pasted).not.toMatch(/^(?:#!|set |: )/m);
  }
});

describe('filled in', () => {
  let service: TestService;
  let sender: Sender;
  const scratch = mkdtempSync(join(tmpdir(), 'leadgate-samples-'));

  beforeAll(async () => {
    service = await startTestService({ env: { HEADER_PREFIX: 'X-Acme-' } });
    sender = await createSender(service);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(scratch, { recursive: true });
  });

  const programs: Record<string, string> = { curl: 'sh', node: process.execPath, python: 'python3' };
  test.each(everySample.filter(({ name }) => name in programs))(
    'the $surface sample in $name stores a lead with nothing but its secret in the environment',
    async ({ name, surface, code, ending }) => {
      const values = { LEADGATE_URL: service.url, LEADGATE_SLUG: sender.slug };
      const path = join(scratch, `${surface}.${ending}`);
      writeFileSync(path, fillSample(code, name, values, 'X-Acme-'));
      const secrets = { LEADGATE_SECRET: sender.secret, LEADGATE_TOKEN: sender.token };
      const { stdout } = await run(programs[name] as string, [path], {
        env: { PATH: process.env.PATH, ...secrets },
      });
      expect(stdout).toMatch(/^\{"submission_id":"[0-9a-f-]{36}"\}$/m);
    },
  );
});
