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
 * The one way to write a statement: the `sql` tag with the type of its rows. Each value in the template becomes a
 * parameter of its own; a value that stands in two places is two parameters, and either may need a cast. Columns and
 * conditions that several statements share are fragments.
 *
 * Not written so: the named statements of the hot path with their binary parameters (ingest/ingest-commit.ts and
 * ingest/ingest-drain.ts), and texts without parameters that read no table: begin, commit, rollback, savepoint, set,
 * listen, create database. `confirmedQuery` of durability.ts runs what `statementOf` makes. Whoever reads rows of these
 * names their type, too.
 */

/** The pool, or any connection. */
type Connection = pg.Pool | pg.ClientBase;

/** Only writes SQL; what it writes runs on the connection that the caller has. */
const writer = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** A statement as `pg` takes it, for whoever runs it with settings of its own. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

export function statementOf(query: RawBuilder<unknown>): Statement {
  const { sql: text, parameters } = query.compile(writer);
  // Whoever looks at a busy server sees statements begin with their verb.
  return { text: text.trim(), values: [...parameters] };
}

export async function rowsOf<Row>(db: Connection, query: RawBuilder<Row>): Promise<Row[]> {
  return (await result(db, query)).rows as Row[];
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
  if (row === undefined) throw new Error('the statement has no row');
  return row;
}

/** How many rows a statement has changed, or found. */
export async function changedBy(db: Connection, query: RawBuilder<unknown>): Promise<number> {
  return (await result(db, query)).rowCount ?? 0;
}

/** For statements of which only the effect matters. */
export async function run(db: Connection, query: RawBuilder<unknown>): Promise<void> {
  await result(db, query);
}

/** Every one of the conditions holds. */
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
