import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Random } from '../../src/time/random.ts';

/** A network in front of the service that cuts connections at random, before and after the service got the request. */
export interface CuttingProxy {
  readonly url: string;
  /** How many requests of the API, out of a hundred, are cut. */
  cutPercent: number;
  /** How many were cut so far after the service had responded. */
  responsesCut(): number;
  stop(): void;
}

export async function startCuttingProxy(target: string, seed: number): Promise<CuttingProxy> {
  const random = new Random(seed);
  let responsesCut = 0;
  const isCut = (path: string | undefined) =>
    path?.startsWith('/api/') === true && random.integer(0, 99) < proxy.cutPercent;

  const pass = (incoming: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const { method, url: path, headers } = incoming;
    // Many visitors, so that the limits of one network do not apply.
    const address = `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(0, 255)}`;
    const outgoing = request(
      target + path,
      { method: method as string, headers: { ...headers, 'x-forwarded-for': address } },
      async (answer) => {
        const bytes = Buffer.concat(await answer.toArray());
        if (isCut(path)) {
          responsesCut++;
          incoming.socket.destroy();
          // Browsers repeat a request by themselves if it was cut on a connection that had been used before, and for an
          // exchanged challenge that is one too many.
        } else
          response
            .writeHead(answer.statusCode as number, { ...answer.headers, connection: 'close' })
            .end(bytes);
      },
    );
    outgoing.on('error', () => incoming.socket.destroy());
    outgoing.end(body);
  };

  const server = createServer(async (incoming, response) => {
    const chunks = await incoming.toArray().catch(() => null);
    if (chunks === null || isCut(incoming.url)) incoming.socket.destroy();
    else pass(incoming, Buffer.concat(chunks), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutPercent: 0,
    responsesCut: () => responsesCut,
    stop: () => server.close().closeAllConnections(),
  };
  return proxy;
}
