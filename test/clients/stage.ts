import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const stages: Server[] = [];

/** Starts a fake service with the given responses. */
export async function stage(
  answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    answer(request, response, body);
  });
  stages.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closeStages(): void {
  for (const server of stages.splice(0)) server.close().closeAllConnections();
}
