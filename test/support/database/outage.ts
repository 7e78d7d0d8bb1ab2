import { DatabaseProxy } from '../../../chaos/world/database-proxy.ts';
import { Random } from '../../../src/time/random.ts';

/** PostgreSQL behind our own proxy, which can refuse connections. */
export interface Outage {
  readonly databaseUrl: string;
  /** Connections are reset and new ones refused. */
  begin(): Promise<void>;
  end(): Promise<void>;
  close(): Promise<void>;
}

/** Requires a URL with a Unix socket, like those of the tests. */
export async function openDoor(databaseUrl: string): Promise<Outage> {
  const { searchParams, username, pathname } = new URL(databaseUrl.replace('@/', '@socket/'));
  const proxy = await DatabaseProxy.create(
    `${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? 5432}`,
    new Random(1),
  );
  return {
    databaseUrl: `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`,
    begin: () => proxy.set({ kind: 'refuse' }),
    end: () => proxy.set({ kind: 'pass' }),
    close: () => proxy.close(),
  };
}
