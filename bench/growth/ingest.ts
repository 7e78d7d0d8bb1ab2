import { mediansOf, type Setup } from '../alternate/compare.ts';
import { cpuOfAll, memoryOf } from '../cpu.ts';
import { formatCount } from '../report.ts';
import type { GrowingDatabase, Settings, Wal } from './database.ts';

/** A database that receives load. */
export interface Loaded {
  readonly name: string;
  readonly database: GrowingDatabase;
  /** The server starts again with these before each round; null to leave it running, with the pages that it has in memory. */
  readonly settings: Settings | null;
}

/** Medians of the rounds. */
export interface IngestFigures {
  readonly name: string;
  readonly rate: number;
  readonly p99Ms: number;
  readonly nodeMicros: number;
  readonly postgresMicros: number;
  /** Per lead. */
  readonly wal: Wal;
}

export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/**
 * Sends leads to each in turn, several times, because the speed of a shared machine varies by the minute. All start after a
 * checkpoint, from where the first change of each page writes the whole page to the WAL: with many leads, most changes are.
 */
export async function measureIngest(all: readonly Loaded[], rounds: Rounds): Promise<IngestFigures[]> {
  const wal = new Map<string, Wal[]>(all.map(({ name }) => [name, []]));
  for (const database of new Set(all.map((one) => one.database))) await database.query('checkpoint');
  const setups = all.map((one) =>
    setupOf(one, rounds.connections, (written) => wal.get(one.name)?.push(written)),
  );
  const medians = await mediansOf(setups, rounds);
  return medians.map((figures) => ({ ...figures, wal: medianOf(wal.get(figures.name) ?? []) }));
}

function setupOf(
  { name, database, settings }: Loaded,
  connections: number,
  onWal: (perLead: Wal) => void,
): Setup {
  return {
    name,
    connections,
    async start() {
      if (settings !== null) await database.restart(settings);
      const [before, leadsBefore] = [await database.wal(), await database.insertedLeads()];
      const service = await database.startService();
      const pids = [service.pid, database.pid];
      return {
        port: service.port,
        tokens: database.tokens,
        cpu: () => cpuOfAll(pids),
        memory: () => memoryOf([service.pid]),
        async finish() {
          await service.stop();
          const leads = (await database.insertedLeads()) - leadsBefore;
          const { bytes, pages } = await database.wal();
          const perLead = { bytes: (bytes - before.bytes) / leads, pages: (pages - before.pages) / leads };
          process.stdout.write(`${describeWal(perLead)}: `);
          onWal(perLead);
          return { leads, held: 0, rejections: {}, verdicts: {} };
        },
      };
    },
  };
}

export function describeWal({ bytes, pages }: Wal): string {
  return `${formatCount(bytes)} bytes of WAL with ${pages.toFixed(2)} whole pages`;
}

function medianOf(rounds: readonly Wal[]): Wal {
  return rounds.toSorted((a, b) => a.bytes - b.bytes)[Math.floor(rounds.length / 2)] as Wal;
}
