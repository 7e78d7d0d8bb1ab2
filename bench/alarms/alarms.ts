import { glob, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { pino } from 'pino';
import type { Judgement, Rule } from '../../src/alarms/rule.ts';
import { readRecentCounts } from '../../src/db/alarms/facts/recent-counts.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/pool.ts';
import { rateLimits } from '../../src/domain/rate-window.ts';
import { shardCount } from '../../src/domain/workspace.ts';
import { median } from '../median.ts';
import { runAndUndo, undoLater } from '../undo.ts';
import { addCounts, type Seeded, seedSources } from './seed.ts';

/** Measures how long one judgement of all rules takes: the counts of the last hour are read, and each rule is asked. */
const goalMs = 200;
const rounds = 15;
const resultsDir = join(import.meta.dirname, '../results');
const rulesDir = join(import.meta.dirname, '../../src/alarms/rules');
const allShards = Array.from({ length: shardCount }, (_, shard) => shard);

async function bench(sourceCount: number): Promise<boolean> {
  await mkdir(resultsDir, { recursive: true });
  const dataDir = await mkdtemp(join(resultsDir, 'alarms-'));
  undoLater(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  undoLater(() => postgres.stop());
  const pool = openPool(postgres.url, 2, pino({ level: 'silent' }));
  undoLater(() => pool.end());
  await migrate(postgres.url, pool);
  const now = new Date();
  const seeded = await seedSources(pool, sourceCount, now);
  print(`${sourceCount.toLocaleString('en')} sources; milliseconds of one judgement\n\n`);
  print(`${''.padEnd(52)}${['first', 'p50', 'max', 'found'].map((name) => name.padStart(8)).join('')}\n`);
  const lastHour = { from: new Date(now.getTime() - 60 * 60_000), to: now, every: '1 minute' };
  const lastMinutes = { ...lastHour, from: new Date(now.getTime() - 9 * 60_000) };
  let isGood = await measure(pool, seeded, now, 'all is well');
  await addCounts(pool, seeded.sources, 'signature_mismatch', lastHour, 0);
  isGood = (await measure(pool, seeded, now, 'forged requests to all sources')) && isGood;
  await pool.query(`delete from outcome_counts where outcome = 'accepted' and minute >= $1`, [lastHour.from]);
  await addCounts(pool, seeded.sources, 'body_not_json', lastMinutes, 1);
  return (await measure(pool, seeded, now, 'all leads of all sources are rejected')) && isGood;
}

/** Each file of a rule exports its factory. */
async function makeRules(): Promise<{ readonly name: string; readonly rule: Rule }[]> {
  const deps = { ...rateLimits, host: 'bench', figures: async () => ({ spoolLeads: 0, spoolBytes: 0 }) };
  const made: { name: string; rule: Rule }[] = [];
  for await (const file of glob('**/*.ts', { cwd: rulesDir, exclude: ['**/*.test.ts'] })) {
    const exported: Record<string, unknown> = await import(join(rulesDir, file));
    for (const [name, make] of Object.entries(exported))
      if (name.endsWith('Rule') && typeof make === 'function') made.push({ name, rule: make(deps) as Rule });
  }
  return made.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function measure(pool: pg.Pool, { workspaces }: Seeded, now: Date, title: string): Promise<boolean> {
  await pool.query('vacuum analyze outcome_counts');
  const rules = await makeRules();
  const times = new Map<string, number[]>();
  const note = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms]);
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    const counts = await readRecentCounts(pool, allShards, now);
    note('  counts of the last hour', performance.now() - startedAt);
    const judgement: Judgement = {
      ...{ now, pool, workspaces, counts, shardGroups: [allShards], open: [], allOpen: [] },
    };
    found = 0;
    for (const { name, rule } of rules) {
      const before = performance.now();
      found += (await rule.judge(judgement)).findings.length;
      note(`  ${name}`, performance.now() - before);
    }
    note(title, performance.now() - startedAt);
  }
  const all = times.get(title) ?? [];
  printRow(title, all, String(found), goalMs);
  for (const [name, ms] of times) if (name !== title) printRow(name, ms);
  return median(all) <= goalMs;
}

function printRow(title: string, ms: readonly number[], found = '', limit = Number.POSITIVE_INFINITY): void {
  const p50 = median(ms);
  const max = Math.max(...ms);
  const cells = [(ms[0] ?? 0).toFixed(1), p50.toFixed(1), max.toFixed(1), found];
  print(
    `${title.padEnd(52)}${cells.map((cell) => cell.padStart(8)).join('')}${p50 > limit ? '  ABOVE' : ''}\n`,
  );
}

function print(text: string): void {
  process.stdout.write(text);
}

const { values } = parseArgs({ options: { sources: { type: 'string', default: '1000' } } });
const sourceCount = Number(values.sources);
if (!Number.isInteger(sourceCount) || sourceCount < 1) {
  process.stderr.write('npm run bench:alarms -- [--sources=1000]\n');
  process.exitCode = 2;
} else {
  process.exitCode = await runAndUndo(() => bench(sourceCount));
}
