import pg from 'pg';
import { inject } from 'vitest';
import { DatabaseProxy } from '../../../chaos/world/database-proxy.ts';
import { Random } from '../../../src/time/random.ts';

/** PostgreSQL behind our own proxy, which can refuse connections. On a cluster, each node has such a proxy too. */
export interface Outage {
  readonly databaseUrl: string;
  /** Connections are reset and new ones refused. */
  begin(): Promise<void>;
  end(): Promise<void>;
  close(): Promise<void>;
}

/** Requires a URL with a Unix socket, like those of the tests. */
export async function openDoor(databaseUrl: string): Promise<Outage> {
  const { username, pathname } = parsed(databaseUrl);
  const proxy = await proxyFor(databaseUrl);
  const proxies = [proxy, ...(await hideNodes(databaseUrl))];
  const all = async (act: (each: DatabaseProxy) => Promise<void>) =>
    void (await Promise.all(proxies.map(act)));
  return {
    databaseUrl: `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`,
    begin: () => all((each) => each.set({ kind: 'refuse' })),
    end: () => all((each) => each.set({ kind: 'pass' })),
    close: () => all((each) => each.close()),
  };
}

/** Puts a proxy in front of every node and makes it the address of the node for this database. */
async function hideNodes(databaseUrl: string): Promise<DatabaseProxy[]> {
  const proxies: DatabaseProxy[] = [];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const url of inject('nodeUrls')) {
    const proxy = await proxyFor(url);
    // Two statements: with one that reads the table of nodes and changes it, the coordinator crashed once.
    const port = parsed(url).searchParams.get('port');
    const { rows } = await client.query('select nodeid from pg_dist_node where nodeport = $1', [port]);
    await client.query(`select citus_update_node($1, '127.0.0.1', $2)`, [rows[0].nodeid, proxy.port]);
    proxies.push(proxy);
  }
  await client.end();
  return proxies;
}

function proxyFor(url: string): Promise<DatabaseProxy> {
  const { searchParams } = parsed(url);
  const socket = `${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? 5432}`;
  return DatabaseProxy.create(socket, new Random(1));
}

/** The class URL wants a host. */
function parsed(url: string): URL {
  return new URL(url.replace('@/', '@socket/'));
}
