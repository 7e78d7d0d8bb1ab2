import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../time/clock.ts';
import { bytesText, durationText, rateText } from './amounts.ts';
import { type HealthFacts, statementsOf } from './statements.ts';

const gigabyte = 1_000_000_000;
const nothingWaits = { quarantined: 0, refused: 0, noted: 0, waiting: 0, failed: 0, oldestMs: null };
const data = { folder: 'data', bytesTotal: 46 * gigabyte, bytesAvailable: 40.4 * gigabyte } as const;

const healthy: HealthFacts = {
  takesLeads: true,
  isDatabaseAvailable: true,
  nodes: [],
  backlog: nothingWaits,
  leadsPerSecond: 12.4,
  commitP50Ms: 4.1,
  commitP99Ms: 18,
  queueLeads: 0,
  spool: { leads: 0, bytes: 0, bytesMax: 1_000, isUsable: true },
  directoryAgeMs: 200,
  log: { isWritable: true, droppedLines: 0 },
  workers: null,
  disks: [data],
  clockDifferenceMs: 3,
  leapMs: 0,
  version: '1.2.3',
  uptimeMs: 4 * dayMs + hourMs,
  hasUncountedProxy: false,
};

const full = { ...data, bytesAvailable: 0.9 * gigabyte };
const waiting = { leads: 12, bytes: 100, bytesMax: 1_000, isUsable: true };
const twoWorkers = { configured: 2, running: 2, restarts: 0, sinceRestartMs: null };
const database = { backlog: null, clockDifferenceMs: null, isDatabaseAvailable: false };

test('a healthy service is described in plain sentences, without advice', () => {
  const statements = statementsOf(healthy);
  expect(statements.map(({ text }) => text)).toEqual([
    'The database is available.',
    'The spool is empty.',
    'No lead waits in quarantine.',
    '12 leads per second were accepted in the last five minutes.',
    'Leads are stored within 4.1 ms (p50) and 18 ms (p99).',
    'No lead waits to be stored.',
    '12 % of the disk is used; 40 GB are available.',
    'The log is written.',
    'The clock agrees with the database (3 ms).',
    'Forms, tokens and secrets are up to date.',
    'Enrichment: no job is waiting.',
    'Version 1.2.3, running for 4 days.',
  ]);
  expect(statements.every(({ state, advice }) => state === 'ok' && advice === undefined)).toBe(true);
});

type Case = readonly [string, Partial<HealthFacts>, string, string, string];
const cases: readonly Case[] = [
  ['the database being down', database, 'database', 'problem', 'The database is unavailable.'],
  [
    'a database that does not respond',
    { ...database, isDatabaseAvailable: true },
    'database',
    'problem',
    'does not respond',
  ],
  [
    'a lost node of a cluster',
    {
      isDatabaseAvailable: false,
      nodes: [
        { address: '10.0.0.2:5432', isAvailable: true },
        { address: '10.0.0.3:5432', isAvailable: false },
      ],
    },
    'database',
    'problem',
    'Node 10.0.0.3:5432 of the cluster is unavailable.',
  ],
  [
    'leads in the spool',
    { spool: waiting },
    'spool',
    'warning',
    '12 leads wait in the spool, which is 10 % full.',
  ],
  ['a spool that is half full', { spool: { ...waiting, bytes: 501 } }, 'spool', 'problem', '50 % full'],
  [
    'a spool without a disk',
    { spool: { ...waiting, isUsable: false } },
    'spool',
    'problem',
    'cannot be written',
  ],
  [
    'a lead in quarantine',
    { backlog: { ...nothingWaits, refused: 1 } },
    'quarantine',
    'warning',
    '1 accepted lead could not be stored and waits in quarantine.',
  ],
  ['slow commits', { commitP99Ms: 251 }, 'commits', 'warning', '251 ms (p99)'],
  ['very slow commits', { commitP99Ms: 900 }, 'commits', 'problem', '900 ms (p99)'],
  ['a long queue', { queueLeads: 2_000 }, 'queue', 'warning', '2,000 leads wait to be stored.'],
  ['little space', { disks: [full] }, 'disk', 'problem', '98 % of the disk is used; 900 MB are available.'],
  [
    'a small disk that is mostly empty',
    { disks: [{ folder: 'data', bytesTotal: gigabyte, bytesAvailable: 0.8 * gigabyte }] },
    'disk',
    'warning',
    '20 % of the disk is used; 800 MB are available.',
  ],
  [
    'a full disk of the spool',
    { disks: [data, { ...full, folder: 'spool' }] },
    'spool_disk',
    'problem',
    'of the disk of SPOOL_DIR is used',
  ],
  [
    'a log that cannot be written',
    { log: { isWritable: false, droppedLines: 1_234 } },
    'log',
    'problem',
    'The log cannot be written: 1,234 lines dropped since the start.',
  ],
  ['a wrong clock', { clockDifferenceMs: -45_000 }, 'clock', 'problem', 'is 45 s behind the database.'],
  ['a drifting clock', { clockDifferenceMs: 2_500 }, 'clock', 'warning', 'is 2 s ahead of the database.'],
  ['a clock that jumped', { leapMs: 6 * minuteMs }, 'clock', 'problem', 'jumped 6 min forward'],
  ['an uncounted proxy', { hasUncountedProxy: true }, 'proxy', 'warning', 'TRUST_PROXY is 0'],
  ['an old directory', { directoryAgeMs: 20_000 }, 'directory', 'warning', 'confirmed 20 s ago'],
  [
    'a missing worker',
    { workers: { ...twoWorkers, running: 1 } },
    'workers',
    'warning',
    '1 of 2 workers is running.',
  ],
  [
    'a worker that died',
    { workers: { ...twoWorkers, restarts: 1, sinceRestartMs: 3 * minuteMs } },
    'workers',
    'warning',
    '2 of 2 workers are running. One died and was started again 3 min ago.',
  ],
  [
    'a process for enrichment that does not run',
    { backlog: { ...nothingWaits, waiting: 12, oldestMs: 20 * minuteMs } },
    'enrichment',
    'warning',
    'Enrichment: 12 jobs are waiting; the oldest for 20 min.',
  ],
  [
    'notes that nobody turns into jobs',
    { backlog: { ...nothingWaits, noted: 5_000 } },
    'enrichment',
    'warning',
    '5,000 commits have no job yet.',
  ],
  [
    'failed jobs',
    { backlog: { ...nothingWaits, failed: 1 } },
    'enrichment_failed',
    'warning',
    '1 job failed',
  ],
];

test.each(cases)('%s comes first, with what to do', (_, facts, id, state, text) => {
  const [first] = statementsOf({ ...healthy, ...facts });
  expect(first).toMatchObject({ id, state, text: expect.stringContaining(text), advice: expect.any(String) });
});

test('workers are mentioned if there are several, a restart for ten minutes, and a replacement not at all', () => {
  const workers = { ...twoWorkers, running: 3, restarts: 1, sinceRestartMs: 10 * minuteMs };
  const [statement] = statementsOf({ ...healthy, workers }).filter(({ id }) => id === 'workers');
  expect(statement).toEqual({ id: 'workers', state: 'ok', text: '2 of 2 workers are running.' });
});

test('problems come before warnings, and jobs that wait for seconds are fine', () => {
  const facts = { ...database, spool: waiting, disks: [{ ...data, bytesAvailable: 5 * gigabyte }] };
  const states = statementsOf({ ...healthy, ...facts }).map(({ id, state }) => `${id} ${state}`);
  expect(states.slice(0, 3)).toEqual(['database problem', 'spool warning', 'disk warning']);
  const busy = statementsOf({ ...healthy, backlog: { ...nothingWaits, waiting: 12, oldestMs: 20_000 } });
  expect(busy.find(({ id }) => id === 'enrichment')).toEqual({
    id: 'enrichment',
    state: 'ok',
    text: 'Enrichment: 12 jobs are waiting; the oldest for 20 s.',
  });
});

test('what is not known is not claimed', () => {
  const unknown = { ...database, disks: [], commitP50Ms: null, commitP99Ms: null, leadsPerSecond: null };
  const ids = statementsOf({ ...healthy, ...unknown }).map(({ id }) => id);
  expect(ids).toEqual(['database', 'spool', 'leads', 'queue', 'log', 'directory', 'version']);
});

test('a process that accepts no leads says nothing about a spool that it does not use', () => {
  const spool = { leads: 0, bytes: 0, bytesMax: 1_000, isUsable: false };
  const statements = statementsOf({ ...healthy, takesLeads: false, spool, directoryAgeMs: hourMs });
  expect(statements.every(({ state }) => state === 'ok')).toBe(true);
  expect(statements.map(({ text }) => text)).toContain(
    'This process accepts no leads; others do, and have their own health.',
  );
});

test('every link to the documentation leads to a heading that exists', () => {
  const links = cases.flatMap(([, facts]) =>
    statementsOf({ ...healthy, ...facts }).flatMap(({ docs }) => docs ?? []),
  );
  expect(links.length).toBeGreaterThan(10);
  for (const link of new Set(links)) {
    const [, name, anchor] = /^\/docs\/([\w-]+)(?:#([\w-]+))?$/.exec(link) ?? [];
    const text = readFileSync(join(import.meta.dirname, `../../../../docs/${name}.md`), 'utf8');
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    expect([link, anchor === undefined || anchors.includes(anchor)]).toEqual([link, true]);
  }
});

test('amounts are short', () => {
  expect([0.004, 0.25, 3.14, 18.4, 1_234].map(rateText)).toEqual(['0.004', '0.25', '3.1', '18', '1,234']);
  expect([0, 900, 61_000, hourMs, 4 * dayMs].map(durationText)).toEqual([
    '0 s',
    '0 s',
    '1 min',
    '1 hour',
    '4 days',
  ]);
  expect([0, 999, 40e9, 1.5e12].map(bytesText)).toEqual(['0 bytes', '999 bytes', '40 GB', '1.5 TB']);
});
