import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { sampleLanguages } from '../../clients/fill-sample.ts';
import { relayFile, startRelay } from '../clients/relay-process.ts';
import { closeStages, stage } from '../clients/stage.ts';
import { warmLeadgate } from '../support/command-line/command-line.ts';
import { scratchFolder } from '../support/scratch.ts';
import { filesIn, root } from '../tidy/files.ts';

/** Which header of which requests may have the value of a variable. A secret that signs is in none. */
const placeOf: Readonly<Record<string, string>> = {
  LEADGATE_KEY: 'authorization of /api/v1/workspaces',
  LEADGATE_TOKEN: 'authorization of /api/v1/ingest',
  LEADGATE_IDEMPOTENCY_KEY: 'x-svc-idempotency-key of /api/v1/ingest',
  LEADGATE_SECRET: 'none',
  LEADGATE_MINT_SECRET: 'none',
};
const inNoHeader = 'URL SLUG WORKSPACE FORM ORIGIN EPOCH BODY_HASH HEADER_PREFIX LAUNCHER';
const names = [...Object.keys(placeOf), ...inNoHeader.split(' ').map((name) => `LEADGATE_${name}`)];

const run = promisify(execFile);
const clients = join(root, 'clients');
const isInstalled = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Every program that reads these variables, as a user runs it who has exported all of them. */
type Start = (env: Record<string, string>) => Promise<unknown>;
const script = (program: string, ...words: string[]): [string, Start] => [
  words[0]?.replace(`${clients}/`, '') ?? program,
  (env) => run(program, words, { env: { ...process.env, ...env } }),
];
const samples = (['token', 'signed'] as const).flatMap((name) =>
  [
    ['sh', 'sh'],
    [process.execPath, 'mjs'],
    ['python3', 'py'],
    ['php', 'php'],
    ['ruby', 'rb'],
  ]
    .filter(([program]) => isInstalled(program as string))
    .map(([program, ending]) => script(program as string, `${clients}/samples/${name}.${ending}`)),
);
const programs: [string, Start][] = [
  ...samples,
  script('sh', `${clients}/receivers/pull-leads.sh`, scratchFolder()),
  ['leadgate lead send', (env) => warmLeadgate(['lead', 'send', '{}'], { env })],
  ['leadgate lead send --slug', (env) => warmLeadgate(['lead', 'send', '{}', '--slug', 'x'], { env })],
  ['leadgate form list', (env) => warmLeadgate(['form', 'list'], { env })],
  [
    relayFile.replace(`${clients}/`, ''),
    async (env) => {
      const relay = await startRelay(env);
      await fetch(`${relay.url}/form`, { method: 'POST', body: new URLSearchParams({ name: 'Ada' }) });
      await relay.stop();
    },
  ],
];

afterEach(closeStages);

test.each(programs)(
  '%s uses each variable for what its name means, with all of them exported',
  async (_, start) => {
    let requests = 0;
    const misplaced: string[] = [];
    const url = await stage(({ url: path, headers }, response) => {
      requests++;
      const area = /^\/api\/v1\/[a-z]+/.exec(path ?? '')?.[0];
      for (const [header, text] of Object.entries(headers))
        for (const name of names)
          if (
            String(text).split(' ').includes(`value-of-${name}`) &&
            placeOf[name] !== `${header} of ${area}`
          )
            misplaced.push(`${name} in ${header} of ${area}`);
      response.setHeader('X-Request-Id', 'x').setHeader('Content-Type', 'application/json');
      response.writeHead(area === '/api/v1/ingest' ? 202 : 404).end('{"submission_id":"x"}');
    });
    const values = Object.fromEntries(Object.keys(placeOf).map((name) => [name, `value-of-${name}`]));
    // What a program makes of these responses is not the subject here.
    await start({ ...values, LEADGATE_URL: url, LEADGATE_SLUG: 'x', LEADGATE_WORKSPACE: 'x' }).catch(
      () => {},
    );
    expect(requests).toBeGreaterThan(0);
    expect(misplaced).toEqual([]);
  },
);

test('no sample reads an API key, in any language', () => {
  for (const { ending } of sampleLanguages)
    for (const name of ['token', 'signed']) {
      const text = readFileSync(join(clients, `samples/${name}.${ending}`), 'utf8');
      expect(text).not.toMatch(/\bLEADGATE_KEY\b/);
      expect(text).toMatch(/\bLEADGATE_IDEMPOTENCY_KEY\b/);
    }
});

test('every variable of senders and of the command line has one meaning, which is listed here', () => {
  const endings = [
    '.ts',
    '.tsx',
    '.mjs',
    '.js',
    '.py',
    '.php',
    '.go',
    '.rb',
    '.sh',
    '.md',
    '.yaml',
    '.service',
  ];
  const files = ['clients', 'docs', 'packaging', 'src', 'web', 'bin', 'scripts'].flatMap((folder) =>
    filesIn(folder, ...endings),
  );
  const used = new Set(files.flatMap(({ text }) => text.match(/\bLEADGATE_[A-Z_]+\b/g) ?? []));
  expect([...used].toSorted()).toEqual(names.toSorted());
});
