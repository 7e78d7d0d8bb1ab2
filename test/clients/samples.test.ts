import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fixLines, type Language, languages } from '../../src/domain/signature-debug/fix-lines.ts';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import { scratchFolder } from '../support/scratch.ts';
import { createSender, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { closeStages, stage } from './stage.ts';

const folder = join(import.meta.dirname, '../../clients/samples');
const run = promisify(execFile);

/** How to run each sample, and whether the tests need its program. */
const kinds: Record<Language, { ending: string; command: string[]; version: string; isRequired: boolean }> = {
  curl: { ending: 'sh', command: ['sh'], version: '-c true', isRequired: true },
  node: { ending: 'mjs', command: [process.execPath], version: '--version', isRequired: true },
  python: { ending: 'py', command: ['python3'], version: '--version', isRequired: true },
  php: { ending: 'php', command: ['php'], version: '--version', isRequired: false },
  go: { ending: 'go', command: ['go', 'run'], version: 'version', isRequired: false },
  ruby: { ending: 'rb', command: ['ruby'], version: '--version', isRequired: false },
};

function isInstalled(language: Language): boolean {
  const { command, version } = kinds[language];
  return spawnSync(command[0] as string, version.split(' ')).status === 0;
}

const runnable = languages.filter((language) => kinds[language].isRequired || isInstalled(language));

let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(() => service.stop());
afterEach(closeStages);

type Surface = 'signed' | 'token';
const surfaces = ['signed', 'token'] as const;

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly submissionId: string | undefined;
  readonly requestId: string | undefined;
}

/** What each sample must contain. Samples of languages that are not installed do not run, so their text is checked. */
const partsOf: Record<Language, { timeout: RegExp; status: RegExp; failure: RegExp; key: RegExp }> = {
  curl: {
    timeout: /--max-time 10/,
    status: /!= 202/,
    failure: /exit \$0/,
    key: /LEADGATE_IDEMPOTENCY_KEY:-\$\(od .* \/dev\/urandom/,
  },
  node: {
    timeout: /AbortSignal\.timeout\(10_000\)/,
    status: /response\.status !== 202/,
    failure: /process\.exitCode = 1/,
    key: /LEADGATE_IDEMPOTENCY_KEY = randomUUID\(\)/,
  },
  python: {
    timeout: /timeout=10/,
    status: /response\.status == 202/,
    failure: /sys\.exit\(0 if/,
    key: /or str\(uuid\.uuid4\(\)\)/,
  },
  php: {
    timeout: /CURLOPT_TIMEOUT => 10/,
    status: /CURLINFO_RESPONSE_CODE\) === 202/,
    failure: /=== false\) \{[^}]+exit\(1\);\n\}[\s\S]+\? 0 : 1\)/,
    key: /\?: bin2hex\(random_bytes\(16\)\)/,
  },
  go: {
    timeout: /http\.Client\{Timeout: 10 \* time\.Second\}/,
    status: /response\.StatusCode != http\.StatusAccepted/,
    failure: /log\.Fatal\(err\)[\s\S]+os\.Exit\(1\)/,
    key: /rand\.Read\(random\)/,
  },
  ruby: {
    timeout: /open_timeout: 10, read_timeout: 10/,
    status: /response\.code == "202"/,
    failure: /exit 1 unless/,
    key: /\{ SecureRandom\.uuid \}/,
  },
};

/** Copies of the samples with a time limit of one second instead of ten. */
const impatientFolder = scratchFolder('samples');
for (const name of readdirSync(folder)) {
  const text = readFileSync(join(folder, name), 'utf8');
  const language = languages.find((one) => name.endsWith(`.${kinds[one].ending}`)) as Language;
  const sooner = text.replace(partsOf[language].timeout, (limit) => limit.replace('10', '1'));
  writeFileSync(join(impatientFolder, name), sooner);
}

async function runSample(
  surface: Surface,
  language: Language,
  env: object = {},
  place = folder,
): Promise<Ended> {
  const { ending, command } = kinds[language];
  const [program, ...options] = command as [string, ...string[]];
  const ended = await run(program, [...options, join(place, `${surface}.${ending}`)], {
    env: {
      ...process.env,
      LEADGATE_URL: service.url,
      LEADGATE_SLUG: sender.slug,
      LEADGATE_SECRET: sender.secret,
      LEADGATE_TOKEN: sender.token,
      ...env,
    },
  }).catch((error) => error);
  const output = ended.stdout + ended.stderr;
  return {
    code: ended.code ?? 0,
    output,
    submissionId: /"submission_id":"([0-9a-f-]{36})"/.exec(output)?.[1],
    requestId: /(?:^x-request-id:|^Request) ([0-9a-f-]{36})\s*$/im.exec(output)?.[1],
  };
}

describe.each(surfaces)('the sample of a %s lead', (surface) => {
  test.each(runnable)(
    'in %s stores the lead and prints its ids, once for the same key, and again without one, though an API key is exported',
    async (language) => {
      const key = { LEADGATE_IDEMPOTENCY_KEY: `${surface} ${language}` };
      const apiKey = { LEADGATE_KEY: 'lgk_exported' };
      const [first, second, third, fourth] = await Promise.all([
        runSample(surface, language, key),
        runSample(surface, language, key),
        runSample(surface, language, apiKey),
        runSample(surface, language, apiKey),
      ]);
      for (const { code, submissionId, requestId } of [first, second, third, fourth])
        expect([code, submissionId, requestId]).toEqual([0, expect.any(String), expect.any(String)]);
      expect(second.submissionId).toBe(first.submissionId);
      expect(new Set([first, third, fourth].map(({ submissionId }) => submissionId)).size).toBe(3);
      const leads = await leadsOf(service, sender, '?limit=200');
      const lead = leads.find((item: { submission_id: string }) => item.submission_id === third.submissionId);
      expect(lead).toMatchObject({
        surface: surface === 'signed' ? 'webhook' : 'server',
        fields: { name: 'Ada Lovelace', email: 'ada@example.com' },
      });
    },
  );

  test.each(runnable)(
    'in %s fails for a rejected lead, and prints the request id that finds the reason',
    async (language) => {
      const ended = await runSample(surface, language, {
        LEADGATE_SECRET: 'wrong',
        LEADGATE_TOKEN: 'ingt_srv_x',
      });
      expect(ended.code).toBeGreaterThan(0);
      expect(ended.output).toContain('{"status":"rejected"}');
      expect(ended.requestId).toEqual(expect.any(String));
      if (surface === 'token') return;
      const found = await eventually(
        () => diagnosticsOf(service, sender, `?request_id=${ended.requestId}`),
        ({ items }) => items.length > 0,
      );
      expect(found.items[0]).toMatchObject({ reason: 'signature_mismatch' });
    },
  );

  test.each(runnable)(
    'in %s fails without a response, and for a response that is not from Leadgate',
    async (language) => {
      const elsewhere: [string, (response: ServerResponse) => void][] = [
        ['closes', (response) => response.destroy()],
        ['page', (response) => response.end('<html>{"submission_id":"x"}')],
        ['502', (response) => response.writeHead(502).end('<html>')],
        ['201', (response) => response.writeHead(201).end('{"submission_id":"x"}')],
        ['redirect', (response) => response.writeHead(302, { Location: '/' }).end()],
      ];
      const urls = await Promise.all(
        elsewhere.map(([, answer]) => stage((_request, response) => answer(response))),
      );
      const ended = await Promise.all(
        [...urls, 'http://127.0.0.1:1'].map((url) => runSample(surface, language, { LEADGATE_URL: url })),
      );
      for (const { code } of ended) expect(code).toBeGreaterThan(0);
    },
  );

  test.each(runnable)('in %s fails without a response within its time limit', async (language) => {
    const url = await stage(() => {});
    const { code } = await runSample(surface, language, { LEADGATE_URL: url }, impatientFolder);
    expect(code).toBeGreaterThan(0);
  });
});

test.each(runnable)(
  'the sample of a signed lead in %s stores it with a secret that got a newline on its way',
  async (language) => {
    const env = { LEADGATE_SECRET: `${sender.secret}\r\n` };
    expect(await runSample('signed', language, env)).toMatchObject({ code: 0 });
  },
);

describe.each(surfaces)('the %s sample', (surface) => {
  const textOf = (language: Language) =>
    readFileSync(join(folder, `${surface}.${kinds[language].ending}`), 'utf8');

  test.each(languages)(
    'in %s has a time limit and a key, and checks the status and the request id',
    (language) => {
      const text = textOf(language);
      for (const part of Object.values(partsOf[language])) expect(text).toMatch(part);
      expect(text).toContain('X-Request-Id');
      expect(text).toContain('X-SVC-Idempotency-Key');
      expect(text.split('\n').length).toBeLessThan(75);
    },
  );

  test('in go imports exactly what it uses', () => {
    const text = textOf('go');
    const [, list = '', code = ''] = /import \(([^)]+)\)([\s\S]+)$/.exec(text) ?? [];
    const imported = [...list.matchAll(/"(?:\w+\/)*(\w+)"/g)].map((match) => match[1]);
    const used = new Set([...code.matchAll(/(?<![\w.])([a-z0-9]+)\.[A-Z]/g)].map((match) => match[1]));
    const variables = new Set(['response', 'request', 'client', 'mac']);
    expect(imported.toSorted()).toEqual(
      [...used].filter((name) => !variables.has(name as string)).toSorted(),
    );
  });

  test.each(['python', 'ruby'] as const)('in %s loads every package it uses', (language) => {
    const text = textOf(language);
    const names: Record<string, string> =
      language === 'python'
        ? { 'sys.': 'import sys', 'uuid.': 'import uuid', 'os.': 'import os' }
        : {
            'SecureRandom.': 'require "securerandom"',
            'JSON.': 'require "json"',
            'Net::': 'require "net/http"',
          };
    for (const [use, load] of Object.entries(names)) expect(text.includes(load)).toBe(text.includes(use));
  });
});

test('there is a sample of each surface in each language', () => {
  const wanted = languages.flatMap((language) =>
    ['signed', 'token'].map((name) => `${name}.${kinds[language].ending}`),
  );
  // Of browser tokens, which have their own tests.
  const minting = ['mint.mjs', 'mint.php', 'mint.py'];
  expect(readdirSync(folder).toSorted()).toEqual([...wanted, ...minting].toSorted());
});

test.each(languages)('the lines that fix a mistake in %s are lines of the sample', (language) => {
  const sample = readFileSync(join(folder, `signed.${kinds[language].ending}`), 'utf8').split('\n');
  for (const lines of Object.values(fixLines[language])) {
    for (const line of lines.split('\n')) expect(sample).toContain(line);
  }
});
