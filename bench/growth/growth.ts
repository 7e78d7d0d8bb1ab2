import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stolenShare } from '../cpu.ts';
import { type Lists, listMsMax, measureLists } from '../leads/lists.ts';
import { buildPages } from '../pages.ts';
import { formatCount, table } from '../report.ts';
import { runAndUndo, undoLater } from '../undo.ts';
import { GrowingDatabase, type Settings } from './database.ts';
import { type Disk, measureDisk } from './disk.ts';
import { describeWal, type IngestFigures, type Loaded, measureIngest, type Rounds } from './ingest.ts';

/**
 * Measures what becomes slower when a database grows. One database stays at the first size and another one grows through the
 * others, so that each size is compared with the first one in the same minutes.
 */
interface Options extends Rounds {
  /** In leads, ascending. */
  readonly sizes: readonly number[];
  /** Further settings to compare at each size but the first. */
  readonly variants: readonly Settings[];
  readonly hasLists: boolean;
}

type Row = readonly [size: string, figure: string, measured: string, goal: string, verdict: string];

const ratioMin = 0.9;
const resultsDir = join(import.meta.dirname, '../results');

async function bench({ sizes, variants, hasLists, ...rounds }: Options): Promise<boolean> {
  const startedAt = performance.now();
  await buildPages();
  await mkdir(resultsDir, { recursive: true });
  const scratchDir = await mkdtemp(join(resultsDir, 'growth-'));
  undoLater(() => rm(scratchDir, { recursive: true, force: true }));
  const [first = 0, ...others] = sizes;
  const small = await GrowingDatabase.create(scratchDir, 'small');
  const rows: Row[] = await measureSize(small, first, hasLists);
  if (others.length === 0) rows.push(...ingestRows(first, await loadOf([loaded(first, small)], rounds)));
  else {
    const growing = await GrowingDatabase.create(scratchDir, 'growing');
    for (const size of others) {
      rows.push(...(await measureSize(growing, size, hasLists)));
      // Compared servers must have started alike.
      const compared = variants.length === 0 ? [null] : [{}, ...variants];
      const all = [
        loaded(first, small, compared[0]),
        ...compared.map((settings) => loaded(size, growing, settings)),
      ];
      rows.push(...ingestRows(size, await loadOf(all, rounds)));
    }
  }
  print(`\n${table([['leads', 'figure', 'measured', 'goal', ''], ...rows]).join('\n')}\n`);
  print(`\n${((performance.now() - startedAt) / 60_000).toFixed(0)} minutes\n`);
  return rows.every(([, , , , verdict]) => verdict !== 'ABOVE' && verdict !== 'BELOW');
}

async function measureSize(database: GrowingDatabase, size: number, hasLists: boolean): Promise<Row[]> {
  print(`\n${nameOf(size)} leads\n`);
  await database.fillTo(size, { isIndexed: hasLists });
  const disk = await measureDisk(database);
  print(`\n${disk.lines.join('\n')}\n\n`);
  if (!hasLists) return diskRows(size, disk);
  const lists = await database.withManagement((port) => measureLists(port, database.plan));
  return [...listRows(size, lists), ...diskRows(size, disk)];
}

async function loadOf(all: readonly Loaded[], rounds: Rounds): Promise<IngestFigures[]> {
  print(`\nWAL per lead: leads, leads/s, p99 ms, Node µs, PostgreSQL µs, memory MB\n`);
  const stolen = stolenShare();
  const figures = await measureIngest(all, rounds);
  print(`The host gave ${(stolen() * 100).toFixed(1)} % of the processor to others\n`);
  return figures;
}

function loaded(size: number, database: GrowingDatabase, settings: Settings | null = null): Loaded {
  const changed = Object.entries(settings ?? {}).map(([name, value]) => `, ${name}=${value}`);
  return { name: `${nameOf(size)}${changed.join('')}`, database, settings };
}

function listRows(size: number, { slowest, aboveGoal, cases }: Lists): Row[] {
  const measured = `${slowest.p95.toFixed(1)} ms (${slowest.title}); ${aboveGoal} of ${cases} above`;
  const verdict = aboveGoal === 0 ? 'ok' : 'ABOVE';
  return [[nameOf(size), 'slowest list or search, p95', measured, `<= ${listMsMax} ms`, verdict]];
}

function diskRows(size: number, { leadBytes, dataBytes, walBytes }: Disk): Row[] {
  const line = (figure: string, measured: string): Row => [nameOf(size), figure, measured, '', ''];
  return [
    line('table of leads and its indexes', `${formatCount(leadBytes)} bytes per lead`),
    line('all data without WAL', `${formatCount(dataBytes)} bytes per lead`),
    line('WAL on the disk', `${formatCount(walBytes / 1e6)} MB`),
  ];
}

/** The first is what the others are compared with. Only the second has a goal: further ones have other settings. */
function ingestRows(size: number, all: readonly IngestFigures[]): Row[] {
  const base = all[0]?.rate ?? 1;
  return all.flatMap((one, place): Row[] => {
    const { name, rate, p99Ms, nodeMicros, postgresMicros, wal } = one;
    const figure = place === 0 ? `leads/s, beside ${nameOf(size)}` : `leads/s ÷ those at ${all[0]?.name}`;
    const ratio = place === 0 ? '' : `${(rate / base).toFixed(2)}: `;
    const measured = `${ratio}${formatCount(rate)}/s, 99 % within ${p99Ms.toFixed(0)} ms`;
    const verdict = rate / base >= ratioMin ? 'ok' : 'BELOW';
    const costs = `${nodeMicros.toFixed(0)} µs of Node, ${postgresMicros.toFixed(0)} µs of PostgreSQL, ${describeWal(wal)}`;
    return [
      [
        name,
        figure,
        measured,
        ...(place === 1 ? ([`>= ${ratioMin}`, verdict] as const) : (['', ''] as const)),
      ],
      [name, 'a lead costs', costs, '', ''],
    ];
  });
}

function nameOf(size: number): string {
  return `${size / 1e6} M`;
}

function print(text: string): void {
  process.stdout.write(text);
}

/** `a=1,b=2` */
function settingsOf(text: string): Settings {
  return Object.fromEntries(text.split(',').map((pair) => pair.split('=', 2) as [string, string]));
}

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '0.2,2,10' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '256' },
    variant: { type: 'string', multiple: true, default: [] },
    'no-lists': { type: 'boolean', default: false },
  },
});
const options: Options = {
  sizes: values.sizes.split(',').map((size) => Math.round(Number(size) * 1e6)),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
  variants: values.variant.map(settingsOf),
  hasLists: !values['no-lists'],
};
const { sizes, rounds, seconds, connections } = options;
const isAscending = sizes.every((size, place) => size >= 1_000 && size > (sizes[place - 1] ?? 0));
if (isAscending && [rounds, seconds, connections].every((count) => count >= 1)) {
  process.exitCode = await runAndUndo(() => bench(options));
} else {
  process.stderr.write(
    'npm run bench:growth -- [--sizes=0.2,2,10] [--rounds=6] [--seconds=8] [--connections=256] [--no-lists] [--variant=shared_buffers=1GB,wal_compression=lz4]...\n   sizes in millions of leads, ascending\n',
  );
  process.exitCode = 2;
}
