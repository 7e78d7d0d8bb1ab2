import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSender, post, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from './delivery-world.ts';
import { Receiver, responds } from './receiver.ts';

let receiver: Receiver;
let services: TestService[] = [];

beforeEach(async () => {
  receiver = await new Receiver().start();
});
afterEach(async () => {
  for (const service of services.toReversed()) await service.stop();
  services = [];
  await receiver.stop();
});

async function start(env: Record<string, string>, databaseUrl?: string): Promise<TestService> {
  const service = await startTestService({
    env: { DELIVER_ALLOW: '127.0.0.1', ...env },
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  });
  services.push(service);
  return service;
}

async function createDestination(service: TestService, { workspaceId }: Sender) {
  const { json } = await service.api('POST', `/workspaces/${workspaceId}/destinations`, {
    name: 'CRM',
    kind: 'webhook',
    url: receiver.url,
    send_when: 'accepted',
    filter: { all: [] },
  });
  return json;
}

test('an accepted lead reaches its destination, signed with the secret that its owner got', async () => {
  const service = await start({});
  const sender = await createSender(service);
  const { id, secret } = await createDestination(service, sender);
  const { body } = await post(service, sender, 'server');
  const submissionId = JSON.parse(body).submission_id;
  await until(() => expect(receiver.received).toHaveLength(1));
  const [{ body: sent, headers } = { body: '', headers: {} }] = receiver.received;
  expect(new Webhook(secret).verify(sent, headers as Record<string, string>)).toMatchObject({
    type: 'lead.accepted',
    data: { submission_id: submissionId, form: { id: sender.formId } },
  });
  const path = `/workspaces/${sender.workspaceId}/deliveries?destination_id=${id}`;
  await until(async () =>
    expect((await service.api('GET', path)).json.items).toMatchObject([
      {
        submission_id: submissionId,
        event: 'lead.accepted',
        state: 'delivered',
        attempts: 1,
        last_status: 200,
      },
    ]),
  );
});

test('a process with the role deliver sends what others have accepted', async () => {
  const all = await start({ DELIVER_NETWORK: 'off' });
  const sender = await createSender(all);
  await createDestination(all, sender);
  await post(all, sender, 'server');
  const deliver = await start({ ROLE: 'deliver' }, all.databaseUrl);
  await until(() => expect(receiver.received).toHaveLength(1));
  expect((await fetch(`${deliver.url}/api/v1/workspaces`)).status).toBe(404);
});

test('an erased lead is not tried again', async () => {
  const service = await start({});
  const sender = await createSender(service);
  const { id } = await createDestination(service, sender);
  receiver.behaviour = responds(500);
  const { body } = await post(service, sender, 'server');
  const at = `/workspaces/${sender.workspaceId}`;
  const list = async () => (await service.api('GET', `${at}/deliveries?destination_id=${id}`)).json.items;
  await until(async () => expect(await list()).toMatchObject([{ state: 'pending', attempts: 1 }]));
  await service.api('DELETE', `${at}/leads/${JSON.parse(body).submission_id}`);
  expect(await list()).toMatchObject([
    { state: 'cancelled', attempts: 1, last_error: 'The lead was erased.' },
  ]);
});
