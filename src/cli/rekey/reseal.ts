import type pg from 'pg';
import {
  countSealed,
  listSealedOtherwise,
  replaceSealed,
  type SealedColumn,
  type SealedCount,
  type SealedValue,
  sealedColumns,
} from '../../db/keys/sealed-values.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';

// One is enough unless secrets change at the same time.
const passesMax = 5;

/** A value that no key decrypts; it stays unchanged. */
export interface ClosedValue {
  readonly what: string;
  readonly row: string;
  readonly why: string;
}

export interface Resealed {
  readonly resealed: number;
  readonly closed: readonly ClosedValue[];
}

/**
 * Encrypts everything in the database with the current key. Each step is one statement that replaces only values that have not
 * changed since they were read, so it can run beside a service, be killed at any point and be repeated.
 */
export async function resealAll(
  pool: pg.Pool,
  box: SecretBox,
  show: (done: number, total: number) => void,
): Promise<Resealed> {
  const total = (await census(pool)).reduce(
    (sum, { keyId, count }) => sum + (keyId === box.keyId ? 0 : count),
    0,
  );
  const closed = new Map<string, ClosedValue>();
  let resealed = 0;
  for (let pass = 0; pass < passesMax; pass++) {
    const before = resealed;
    for (const column of sealedColumns) {
      for await (const step of steps(pool, column, box)) {
        resealed += await resealStep(pool, box, column, step, closed);
        show(Math.min(resealed + closed.size, total), total);
      }
    }
    // Values changed in between may have been encrypted with another key again.
    if (resealed === before) break;
  }
  return { resealed, closed: [...closed.values()] };
}

export interface CensusLine extends SealedCount {
  readonly what: string;
}

/** How much is encrypted with which key. */
export async function census(pool: pg.Pool): Promise<CensusLine[]> {
  const lines: CensusLine[] = [];
  for (const column of sealedColumns)
    for (const { keyId, count } of await countSealed(pool, column))
      lines.push({ what: column.what, keyId, count });
  return lines;
}

async function* steps(pool: pg.Pool, column: SealedColumn, box: SecretBox): AsyncGenerator<SealedValue[]> {
  for (let after: readonly string[] | null = null; ; ) {
    const values = await listSealedOtherwise(pool, column, box.keyId, after, column.rowsPerStep);
    if (values.length === 0) return;
    yield values;
    after = (values.at(-1) as SealedValue).key;
  }
}

async function resealStep(
  pool: pg.Pool,
  box: SecretBox,
  column: SealedColumn,
  values: readonly SealedValue[],
  closed: Map<string, ClosedValue>,
): Promise<number> {
  const opened = values.flatMap(({ key, sealed }) => {
    const owner = column.ownerOf(key, sealed);
    const row = key.join(' ');
    try {
      return [{ key, before: sealed, sealed: box.seal(box.openBytes(sealed, owner), owner) }];
    } catch (error) {
      closed.set(`${column.what} ${row}`, { what: column.what, row, why: (error as Error).message });
      return [];
    }
  });
  return opened.length === 0 ? 0 : replaceSealed(pool, column, opened);
}
