import pg from 'pg';
import { DatabaseHosts } from './database-hosts.ts';
import { DatabaseUrlError, nameOf, parseDatabaseUrl } from './database-url.ts';
import { FollowingClient } from './following-client.ts';
import { stateOf } from './host-state.ts';

/** All connections are opened here, so that all of them follow the primary. */
export interface ClientOptions extends Omit<pg.ClientConfig, 'connectionString'> {
  readonly databaseUrl: string;
}

export interface PoolOptions extends Omit<pg.PoolConfig, 'connectionString' | 'Client'> {
  readonly databaseUrl: string;
}

// Longer than a search takes, for a host that is slow but alive.
const askTimeoutMs = 2_000;
const known = new Map<string, DatabaseHosts>();

/** A connection to a server that accepts writes, if the URL asks for one. It is not connected yet. */
export function createClient({ databaseUrl, ...options }: ClientOptions): pg.Client {
  const parsed = parseDatabaseUrl(databaseUrl);
  const hosts = hostsOf(databaseUrl, parsed);
  const config = { ...options, connectionString: parsed.url };
  return hosts === null ? new pg.Client(config) : new FollowingClient(config, hosts, 'writing');
}

export function createPool({ databaseUrl, ...options }: PoolOptions): pg.Pool {
  const parsed = parseDatabaseUrl(databaseUrl);
  const hosts = hostsOf(databaseUrl, parsed);
  if (hosts === null) return new pg.Pool({ ...options, connectionString: parsed.url });
  class PoolClient extends FollowingClient {
    constructor(config: pg.ClientConfig = {}) {
      super(config, hosts as DatabaseHosts, 'reading');
    }
  }
  const pool = new pg.Pool({ ...options, connectionString: parsed.url, Client: PoolClient });
  // The pool discards what ends before it is back, whatever its last user made of an error.
  pool.on('release', (_, client) => {
    if (client instanceof FollowingClient && client.isSpent) void client.end();
  });
  return pool;
}

/** The hosts of a URL; null when the driver connects to whatever server it names. One object per process. */
export function hostsOf(databaseUrl: string, parsed = parseDatabaseUrl(databaseUrl)): DatabaseHosts | null {
  if (parsed.hosts.length === 0) return null;
  // Other parameters make no difference: connections with and without settings share what is known.
  const key = `${databaseUrl.split('?')[0]} ${parsed.hosts.map(nameOf).join()}`;
  const existing = known.get(key);
  if (existing !== undefined) return existing;
  const hosts = new DatabaseHosts({
    hosts: parsed.hosts,
    ask: (host) => stateOf(host, parsed.url, askTimeoutMs),
  });
  known.set(key, hosts);
  return hosts;
}

/** The connection did not answer in time, so the primary may be elsewhere. */
export function doubt(client: pg.ClientBase): void {
  if (client instanceof FollowingClient) client.doubt();
}

/** Why a URL can never work, in words that follow "DATABASE_URL: "; null when it can. */
export function flawOf(databaseUrl: string): string | null {
  try {
    new pg.Client({ connectionString: parseDatabaseUrl(databaseUrl).url });
    return null;
  } catch (error) {
    if (error instanceof DatabaseUrlError) return error.message;
    const { code, path } = error as NodeJS.ErrnoException;
    // The driver reads certificates at this moment.
    if (path !== undefined) return `cannot read ${path} (${code})`;
    return 'is not a valid URL, for example postgres://user:password@localhost:5432/leadgate';
  }
}

/** The ports of the servers of a URL; empty if it leads to a Unix socket. */
export function portsOf(databaseUrl: string): number[] {
  const { hosts, url } = parseDatabaseUrl(databaseUrl);
  const servers = hosts.length > 0 ? hosts : [new pg.Client({ connectionString: url })];
  return servers.filter(({ host }) => !host.startsWith('/')).map(({ port }) => port);
}
