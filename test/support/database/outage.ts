import { DatabaseProxy } from '../../../chaos/world/database-proxy.ts';
import { Random } from '../../../src/time/random.ts';

/** PostgreSQL behind a door of our own, which can be shut. */
export interface Outage {
  readonly databaseUrl: string;
  /** Connections are reset and new ones refused. */
  begin(): Promise<void>;
  end(): Promise<void>;
  close(): Promise<void>;
}

/** For a URL that names a Unix socket, as those of the tests do. */
export async function openDoor(databaseUrl: string): Promise<Outage> {
  const { searchParams, username, pathname } = new URL(databaseUrl.replace('@/', '@socket/'));
  const proxy = await DatabaseProxy.create(`${searchParams.get('host')}/.s.PGSQL.5432`, new Random(1));
  return {
    databaseUrl: `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`,
    begin: () => proxy.set({ kind: 'refuse' }),
    end: () => proxy.set({ kind: 'pass' }),
    close: () => proxy.close(),
  };
}
