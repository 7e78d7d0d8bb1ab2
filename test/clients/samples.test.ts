import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixLines, type Language, languages } from '../../src/domain/signature-debug/fix-lines.ts';
import { leadsOf } from '../support/diagnostics.ts';
import { createSender, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const folder = join(import.meta.dirname, '../../clients/samples');
const run = promisify(execFile);

/** How each kind of sample is run, and whether a machine without the program will do. */
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

async function runSample(surface: 'signed' | 'token', language: Language): Promise<string> {
  const { ending, command } = kinds[language];
  const [program, ...options] = command as [string, ...string[]];
  const { stdout } = await run(program, [...options, join(folder, `${surface}.${ending}`)], {
    env: {
      ...process.env,
      LEADGATE_URL: service.url,
      LEADGATE_SLUG: sender.slug,
      LEADGATE_SECRET: sender.secret,
      LEADGATE_TOKEN: sender.token,
      LEADGATE_KEY: `${surface} ${language}`,
    },
  });
  return stdout;
}

describe.each(['signed', 'token'] as const)('the sample of a %s lead', (surface) => {
  test.each(runnable)('in %s stores the lead', async (language) => {
    const answer = await runSample(surface, language);
    expect(JSON.parse(answer)).toEqual({ submission_id: expect.any(String) });
    const leads = await leadsOf(service, sender, '?limit=200');
    const lead = leads.find(
      (item: { submission_id: string }) => item.submission_id === JSON.parse(answer).submission_id,
    );
    expect(lead).toMatchObject({
      surface: surface === 'signed' ? 'webhook' : 'server',
      fields: { name: 'Ada Lovelace', email: 'ada@example.com' },
    });
  });
});

test('there is a sample of each surface in each language', () => {
  const wanted = languages.flatMap((language) =>
    ['signed', 'token'].map((name) => `${name}.${kinds[language].ending}`),
  );
  expect(readdirSync(folder).toSorted()).toEqual(wanted.toSorted());
});

test.each(languages)('the lines that mend a mistake in %s are lines of the sample', (language) => {
  const sample = readFileSync(join(folder, `signed.${kinds[language].ending}`), 'utf8').split('\n');
  for (const lines of Object.values(fixLines[language])) {
    for (const line of lines.split('\n')) expect(sample).toContain(line);
  }
});
