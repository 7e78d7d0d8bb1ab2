import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operatorKey } from '../../support/service.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: what a command sends is what a test is about.
  readonly body: any;
}

interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

export const workspaceId = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10';

/** Responds like the management API, with what a test wants, so that a command is tested without what is behind the API. */
export async function startStandInApi(replyTo: (asked: Asked) => Reply | null) {
  const asked: Asked[] = [];
  const workspaces = { items: [{ id: workspaceId, name: 'Acme' }], next_cursor: null };
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const path = pathname.replace('/api/v1', '');
    const query = Object.fromEntries(searchParams);
    const one = { method: request.method ?? '', path, query, body: text === '' ? null : JSON.parse(text) };
    asked.push(one);
    const reply = path === '/workspaces' ? { body: workspaces } : replyTo(one);
    const isKnown = reply !== null && request.headers.authorization === `Bearer ${operatorKey}`;
    response
      .writeHead(isKnown ? (reply.status ?? 200) : 404, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(isKnown ? reply.body : { title: 'Not found.', detail: '' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop: () => server.close().closeAllConnections(),
  };
}
