import { sql } from 'kysely';
import pg from 'pg';
import { isAnswered, isPassing } from '../errors.ts';
import { onlyRow } from '../sql.ts';
import { abandon } from './abandon.ts';
import type { Host } from './database-url.ts';

/** What a host said about itself. */
export type HostState =
  | PrimaryState
  | { readonly kind: 'standby'; readonly walBytes: number }
  /** A primary that is set to read-only. */
  | { readonly kind: 'read-only' }
  | { readonly kind: 'unreachable'; readonly error: Error };

interface PrimaryState extends ServerIdentity {
  readonly kind: 'primary';
  readonly walBytes: number;
}

export interface ServerIdentity {
  /** The same on all servers that are copies of each other. */
  readonly cluster: string;
  /** Each promotion starts a new one. */
  readonly timeline: number;
  /** When the server started, to recognise one that is listed under two names. */
  readonly startedAt: string;
}

interface StateRow {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly cluster: string;
  /** The name of a WAL file begins with it. Null on a standby. */
  readonly timeline: string | null;
  readonly startedAt: string;
  /** How much WAL a primary has written, or a standby has applied. */
  readonly walBytes: number | null;
}

const question = sql<StateRow>`
  select pg_is_in_recovery() as "isStandby",
    current_setting('transaction_read_only')::boolean as "isReadOnly",
    pg_postmaster_start_time()::text as "startedAt",
    (select system_identifier::text from pg_control_system()) as cluster,
    case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
    pg_wal_lsn_diff(
      case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0'
    )::float8 as "walBytes"`;

/** For a server that does not say more, as some managed services: then no host is older than another. */
const shortQuestion = sql<StateRow>`
  select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only')::boolean as "isReadOnly",
    pg_postmaster_start_time()::text as "startedAt", '' as cluster, case when not pg_is_in_recovery() then '0' end as timeline, null::float8 as "walBytes"`;

/** Internals of `pg`: where it reads the password file's host from. */
interface Inside {
  readonly connectionParameters: { host: string; port: number };
}

/** Before it connects. The host is also the name that the certificate of the server must have. */
export function pointAt(client: pg.Client, { host, port }: Host): void {
  client.host = host;
  client.port = port;
  Object.assign((client as unknown as Inside).connectionParameters, { host, port });
}

/** Asks on a separate connection. Never throws. */
export async function stateOf(host: Host, url: string, timeoutMs: number): Promise<HostState> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'leadgate search',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
  });
  pointAt(client, host);
  // Errors of an abandoned connection must not end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return stateIn(await ask(client));
  } catch (error) {
    return { kind: 'unreachable', error: error as Error };
  } finally {
    abandon(client);
  }
}

async function ask(client: pg.Client): Promise<StateRow> {
  try {
    return await onlyRow(client, question);
  } catch (error) {
    if (!isAnswered(error) || isPassing(error)) throw error;
    return onlyRow(client, shortQuestion);
  }
}

function stateIn({ isStandby, isReadOnly, cluster, timeline, startedAt, ...row }: StateRow): HostState {
  const walBytes = row.walBytes ?? 0;
  if (isStandby || timeline === null) return { kind: 'standby', walBytes };
  if (isReadOnly) return { kind: 'read-only' };
  return { kind: 'primary', cluster, timeline: Number.parseInt(timeline, 16), startedAt, walBytes };
}
