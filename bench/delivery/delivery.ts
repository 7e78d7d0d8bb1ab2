import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { buildPages } from '../pages.ts';
import { table } from '../report.ts';
import { startServiceOn } from '../targets/targets.ts';
import { runAndUndo, undoLater } from '../undo.ts';
import { measureFeed } from './feed.ts';
import { measureFirstAttempt } from './first-attempt.ts';
import { measureIngest } from './ingest.ts';
import { measureNeighbours } from './neighbours.ts';
import { measureReplay } from './replay.ts';
import { Sink } from './sink.ts';
import type { Row, Stage } from './stage.ts';
import { measureThroughput } from './throughput.ts';

/** Measures how leads leave: one instance, its database, and a receiver in another process. */
type Measure = (isQuick: boolean) => Promise<readonly Row[]>;

const measures: Readonly<Record<string, Measure>> = {
  ingest: async (isQuick) => [await measureIngest(isQuick)],
  first: onStage(measureFirstAttempt),
  throughput: onStage(measureThroughput),
  neighbours: onStage(measureNeighbours),
  replay: onStage(measureReplay),
  feed: onStage(measureFeed),
};
const resultsDir = join(import.meta.dirname, '../results');

async function bench(names: readonly string[], isQuick: boolean): Promise<boolean> {
  await buildPages();
  await mkdir(resultsDir, { recursive: true });
  const rows: Row[] = [];
  for (const name of names) {
    for (const row of await (measures[name] as Measure)(isQuick)) {
      print(`${row.figure}: ${row.measured}\n`);
      rows.push(row);
    }
  }
  const cells = rows.map(({ figure, measured, goal, isGood }) => [
    figure,
    measured,
    goal,
    goal === '' ? '' : isGood ? 'ok' : 'BELOW',
  ]);
  print(`\n${table([['figure', 'measured', 'goal', ''], ...cells]).join('\n')}\n`);
  return rows.every(({ isGood }) => isGood);
}

/** A new one for each figure, so that none inherits the work of another. */
function onStage(measure: (stage: Stage) => Promise<Row | readonly Row[]>): Measure {
  return async (isQuick) => {
    const { stop, ...stage } = await startStage(isQuick);
    const rows = [await measure(stage)].flat();
    await stop();
    return rows;
  };
}

async function startStage(isQuick: boolean): Promise<Stage & { stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(resultsDir, 'delivery-'));
  const remove = undoLater(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const stopPostgres = undoLater(() => postgres.stop());
  const service = await startServiceOn(postgres.url, dataDir, { DELIVER_ALLOW: '127.0.0.1' });
  const sink = await Sink.start();
  return {
    port: service.port,
    pid: service.pid,
    databaseUrl: postgres.url,
    sink,
    isQuick,
    async stop() {
      await sink.stop();
      await service.stop();
      await stopPostgres();
      await remove();
    },
  };
}

function print(text: string): void {
  process.stdout.write(text);
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const names = values.only?.split(',') ?? Object.keys(measures);
if (names.every((name) => name in measures)) {
  process.exitCode = await runAndUndo(() => bench(names, values.quick));
} else {
  process.stderr.write(
    `npm run bench:delivery -- [--quick] [--only=${Object.keys(measures)}]   a first look takes two minutes, everything half an hour\n`,
  );
  process.exitCode = 2;
}
