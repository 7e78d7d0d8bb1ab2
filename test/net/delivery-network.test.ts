import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createDeliveryHttp } from '../../src/start/delivery-network.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { Receiver, someRequest, someUrl } from './receiver.ts';

function refusalOf(url: string, databaseUrl: string, env: Record<string, string>) {
  const config = readConfig({ DELIVER_ALLOW: '127.0.0.0/8,10.0.0.0/8', ...env }, () => 'k'.repeat(32));
  const http = createDeliveryHttp({ config, databaseUrl, clock: systemClock, listenerPort: () => 40_123 });
  return http.refusal(url);
}

const embedded = 'postgres://leadgate@/leadgate?host=%2Ftmp%2Fsocket';

test.each([
  ['http://127.0.0.1:3000/', embedded, 'own_port'],
  ['http://127.0.0.1:40123/', embedded, 'own_port'],
  ['http://127.0.0.1:9464/', embedded, 'own_port'],
  ['http://127.0.0.1:9465/', embedded, null],
  ['http://10.0.0.9:3000/', embedded, null],
  ['http://127.0.0.1:5432/', embedded, null],
  ['http://127.0.0.1:5432/', 'postgres://localhost/leadgate', 'own_port'],
  ['http://10.0.0.9:6432/', 'postgres://db.internal:6432/leadgate', 'own_port'],
  ['http://10.0.0.9:6433/', 'postgres://a:6432,b:6433/leadgate', 'own_port'],
  ['http://10.0.0.9:6434/', 'postgres://a:6432,b:6433/leadgate', null],
])('leads for %s, with the database %s: %j', async (url, databaseUrl, refusal) => {
  expect(await refusalOf(url, databaseUrl, { METRICS_PORT: '9464' })).toBe(refusal);
});

test('DELIVER_NETWORK=off sends nothing, and any other text is refused at start', async () => {
  const receiver = await new Receiver().start();
  const config = readConfig({ DELIVER_NETWORK: 'off' }, () => 'k'.repeat(32));
  const parts = { config, databaseUrl: embedded, clock: systemClock, listenerPort: () => 3000 };
  const http = createDeliveryHttp({ ...parts, egress: receiver });
  expect(await http.post(someRequest())).toMatchObject({ failure: 'network_off' });
  // It can be turned on later.
  expect(await http.refusal(someUrl)).toBeNull();
  expect(receiver.dialled).toEqual([]);
  await receiver.stop();
  expect(() => readConfig({ DELIVER_NETWORK: 'on' })).toThrow('DELIVER_NETWORK: must be one of off, public');
});
