import { connect, createServer, type Server, type Socket } from 'node:net';

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
  const target = `${new URL(databaseUrl.replace('@/', '@socket/')).searchParams.get('host')}/.s.PGSQL.5432`;
  const links = new Set<Socket>();
  let server: Server | null = null;
  let port = 0;
  const end = async () => {
    if (server !== null) return;
    server = createServer((client) => join(client, target, links));
    port = await listening(server, port);
  };
  const begin = async () => {
    const shut = server;
    server = null;
    for (const link of links) link.destroy();
    if (shut !== null) await new Promise((resolve) => shut.close(resolve));
  };
  await end();
  const url = new URL(databaseUrl.replace('@/', '@socket/'));
  const through = `postgres://${url.username}@127.0.0.1:${port}${url.pathname}`;
  return { databaseUrl: through, begin, end, close: begin };
}

function join(client: Socket, target: string, links: Set<Socket>): void {
  const upstream = connect(target);
  client.pipe(upstream).pipe(client);
  for (const socket of [client, upstream]) {
    links.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      links.delete(socket);
      client.destroy();
      upstream.destroy();
    });
  }
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      resolve((server.address() as { port: number }).port);
    });
  });
}
