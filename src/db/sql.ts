import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type pg from 'pg';
import type { PooledQuery } from './durability.ts';

/*
 * Statements are written with the `sql` tag and the type of their rows. Each value in the template becomes a separate
 * parameter: a value that is used twice is two parameters, and either may need a cast. Columns and conditions that several
 * statements share are fragments.
 *
 * Exceptions: the named statements of the hot path with their binary parameters (ingest/ingest-commit.ts with
 * ingest/released-query.ts, and ingest/ingest-drain.ts), `insertRows`, because the tag takes long for many parameters, and
 * statements without parameters that read no table (begin, commit, rollback, savepoint, set, listen, create database).
 * `confirmedQuery` in durability.ts runs what `statementOf` returns. These declare the type of their rows, too.
 */

/** The pool, or any connection. */
type Connection = pg.Pool | pg.ClientBase;

/** Only generates SQL, which runs on the caller's connection. */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** A statement for `pg`, for callers that run it with their own settings. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

export function statementOf(query: RawBuilder<unknown>): Statement {
  const { sql: text, parameters } = query.compile(writer);
  // So that the statements in pg_stat_activity begin with their verb.
  return { text: text.trim(), values: [...parameters] };
}

export async function rowsOf<Row>(
  db: Connection,
  query: RawBuilder<Row>,
  answerTimeoutMs?: number,
): Promise<Row[]> {
  return (await result(db, query, answerTimeoutMs)).rows as Row[];
}

export async function firstRow<Row>(db: Connection, query: RawBuilder<Row>): Promise<Row | null> {
  const [row] = await rowsOf(db, query);
  return row ?? null;
}

/** For statements that always have a row, such as counts. */
export async function onlyRow<Row>(
  db: Connection,
  query: RawBuilder<Row>,
  answerTimeoutMs?: number,
): Promise<Row> {
  const [row] = (await result(db, query, answerTimeoutMs)).rows as Row[];
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}

/** The number of rows that a statement changed or found. */
export async function changedBy(db: Connection, query: RawBuilder<unknown>): Promise<number> {
  return (await result(db, query)).rowCount ?? 0;
}

const rowsPerInsertMax = 1_000;
/** For what is written all the time: a statement of thousands of values holds up commits of leads. */
export const rowsBesideLeadsMax = 50;

/**
 * Inserts rows of values, with what comes before and after them in the statement; `returning` makes it return rows. Unlike rows that are selected from a
 * parameter, Citus sends these straight to their node if they all belong to the same bucket.
 */
export async function insertRows<Returned = never>(
  db: Connection,
  into: string,
  rows: readonly (readonly unknown[])[],
  after = '',
  rowsMax = rowsPerInsertMax,
): Promise<Returned[]> {
  const returned: Returned[] = [];
  for (let start = 0; start < rows.length; start += rowsMax) {
    const some = rows.slice(start, start + rowsMax);
    let count = 0;
    const places = some.map((row) => `(${row.map(() => `$${++count}`).join()})`);
    const { rows: found } = await db.query(
      `insert into ${into} values ${places.join()} ${after}`,
      some.flat(),
    );
    returned.push(...(found as Returned[]));
  }
  return returned;
}

/** For statements whose result does not matter. */
export async function run(db: Connection, query: RawBuilder<unknown>): Promise<void> {
  await result(db, query);
}

/** True when all conditions are true. */
export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function result(
  db: Connection,
  query: RawBuilder<unknown>,
  answerTimeoutMs?: number,
): Promise<pg.QueryResult> {
  const { text, values } = statementOf(query);
  if (answerTimeoutMs === undefined) return db.query(text, values);
  const limited: PooledQuery = { text, values, query_timeout: answerTimeoutMs };
  return db.query(limited);
}
