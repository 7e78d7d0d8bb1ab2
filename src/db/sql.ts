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

/** A table that is written all the time, with the types of its columns and what follows the rows in the statement. */
export interface CountedTable {
  readonly into: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly after: string;
}

/** Called after each statement of what is written beside leads: commits of leads come in between. */
export type Rest = () => Promise<void>;

/** Inserts rows of values in the order of the columns. */
export type InsertCounts = (
  db: Connection,
  table: CountedTable,
  rows: readonly (readonly unknown[])[],
) => Promise<void>;

export const insertAsRows: InsertCounts = async (db, { into, columns, after }, rows) => {
  await insertRows(db, `${into} (${Object.keys(columns).join()})`, rows, after, rowsBesideLeadsMax);
};

/**
 * The same with a list per column. The statement is the same for any number of rows, so each connection parses and plans it
 * once, which takes longer than to write the rows. Only on one server: on a cluster it would not be sent straight to its node.
 */
export function insertAsLists(rest: Rest): InsertCounts {
  return async (db, { into, columns, after }, rows) => {
    const names = Object.keys(columns);
    const selected = names.map((name) => `${name}::${columns[name]}`);
    // Lists of lists must all be as long as the first, and are not unnested one by one.
    const given = Object.values(columns).map(
      (type, place) => `$${place + 1}::${type.endsWith('[]') ? 'text' : type}[]`,
    );
    const text = `insert into ${into} (${names.join()}) select ${selected.join()}
      from unnest(${given.join()}) as i (${names.join()}) ${after}`;
    for (let start = 0; start < rows.length; start += rowsBesideLeadsMax) {
      const some = rows.slice(start, start + rowsBesideLeadsMax);
      const lists = names.map((_, place) => plainList(some.map((row) => row[place])));
      await runPrepared(db, text, lists);
      await rest();
    }
  };
}

/**
 * A list of IDs, numbers, times and words of ours, in the text format of PostgreSQL. The driver would look for characters to
 * escape in each of them; there are none. Lists and objects in it are quoted.
 */
export function plainList(values: readonly unknown[]): string {
  return `{${values.map(plain).join()}}`;
}

function plain(value: unknown): string {
  if (value == null) return 'null';
  if (Array.isArray(value)) return `"{${value.join()}}"`;
  // JSON escapes what lists escape, in the same way: quotes and backslashes.
  return typeof value === 'object' ? JSON.stringify(JSON.stringify(value)) : String(value);
}

const preparedNames = new Map<string, string>();

/**
 * For a statement with a fixed text that runs all the time: each connection parses and plans it once. Not for one that reads
 * leads: a plan from the time of an empty table would read all of it, until the table is analysed.
 */
export async function runPrepared(db: Connection, text: string, values: unknown[]): Promise<number> {
  let name = preparedNames.get(text);
  if (name === undefined) {
    name = `leadgate_${preparedNames.size}`;
    preparedNames.set(text, name);
  }
  return (await db.query({ name, text, values })).rowCount ?? 0;
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
