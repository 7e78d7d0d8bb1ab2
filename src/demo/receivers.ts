import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api } from '../cli/api.ts';
import type { Stage } from './stage.ts';

/** Stand-ins on this machine for the systems that leads go to. One of them is down. */
export interface Receivers {
  /** Host and port. */
  readonly address: string;
}

const chatPath = '/hooks/sales-channel';
const statuses: Readonly<Record<string, number>> = {
  '/crm': 200,
  '/newsletter': 200,
  '/sales': 503,
  [chatPath]: 200,
};

export async function startReceivers(): Promise<Receivers> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const status = statuses[request.url ?? ''] ?? 404;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ status }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The service decides when the demo ends.
  server.unref();
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Without email, because the demo has no mail server. */
const destinations = [
  {
    name: 'CRM',
    path: '/crm',
    own: { kind: 'webhook' },
    filter: { all: [{ field: 'verdict', op: 'eq', value: 'clean' }] },
  },
  {
    name: 'Sales automation',
    path: '/sales',
    own: { kind: 'webhook' },
    filter: { all: [{ field: 'grade', op: 'in', value: ['A', 'B'] }] },
  },
  {
    name: 'Newsletter tool',
    path: '/newsletter',
    own: { kind: 'webhook' },
    filter: { all: [{ field: 'field.email', op: 'exists' }] },
  },
  {
    name: 'Sales channel',
    path: chatPath,
    own: { kind: 'chat', service: 'mattermost' },
    filter: { all: [{ field: 'verdict', op: 'eq', value: 'clean' }] },
  },
] as const;
const paused = 'Newsletter tool';

/** Leads of the first workspace go to the receivers, whose port differs with each start. */
export async function connectReceivers(
  api: Api,
  stages: readonly Stage[],
  { address }: Receivers,
): Promise<void> {
  const params = { workspace_id: stages[0]?.workspaceId ?? '' };
  const { items } = await api.call('GET', '/workspaces/:workspace_id/destinations', { params });
  for (const { name, path, own, filter } of destinations) {
    const url = `http://${address}${path}`;
    const found = items.find((destination) => destination.name === name);
    if (found === undefined) {
      const { id } = await api.call('POST', '/workspaces/:workspace_id/destinations', {
        params,
        body: { ...own, name, url, filter, send_when: 'accepted' },
      });
      if (name === paused)
        await api.call('POST', '/workspaces/:workspace_id/destinations/:destination_id/pause', {
          params: { ...params, destination_id: id },
        });
    } else
      await api.call('PATCH', '/workspaces/:workspace_id/destinations/:destination_id', {
        params: { ...params, destination_id: found.id },
        body: { url },
      });
  }
}
