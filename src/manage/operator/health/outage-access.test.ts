import { expect, test } from 'vitest';
import { minuteMs, secondMs } from '../../../time/clock.ts';
import { SimulatedClock } from '../../../time/simulated-clock.ts';
import type { Client } from '../../accounts/accounts.ts';
import type { Authenticated } from '../../calls/access.ts';
import { OutageAccess } from './outage-access.ts';

const ada = { id: '1', name: 'Ada', email: 'ada@example.com', operator: true };
const signedIn = (person: typeof ada): Authenticated => ({
  principal: { kind: 'person', person },
  cookies: [],
});
const nobody: Authenticated = { principal: { kind: 'nobody' }, cookies: [] };
const unavailable = Object.assign(new Error('refused'), { syscall: 'connect' });

function clientWith(cookie: string): Client {
  return { address: '127.0.0.1', headers: new Headers({ cookie }) };
}

function world() {
  const clock = new SimulatedClock(0);
  const database = { respond: async (): Promise<Authenticated> => signedIn(ada) };
  const accounts = { hasSessionCookie: () => true };
  const access = new OutageAccess(() => database.respond(), { clock, accounts });
  const health = access.for({ by: 'operator', duringOutage: true });
  const others = access.for({ by: 'operator' });
  return { clock, database, health, others };
}

const mine = clientWith('session=a');

test('an operator who was checked reads the health during an outage, for 15 minutes, and nothing else', async () => {
  const { clock, database, health, others } = world();
  await others(mine, 'GET');
  database.respond = () => Promise.reject(unavailable);
  expect(await health(mine, 'GET')).toEqual(signedIn(ada));
  await expect(others(mine, 'GET')).rejects.toBe(unavailable);
  await expect(health(clientWith('session=b'), 'GET')).rejects.toBe(unavailable);
  await clock.advance(15 * minuteMs + 1);
  await expect(health(mine, 'GET')).rejects.toBe(unavailable);
});

test('a database that hangs is not waited for', async () => {
  const { clock, database, health } = world();
  await health(mine, 'GET');
  database.respond = () => new Promise(() => {});
  const answer = health(mine, 'GET');
  await clock.advance(2 * secondMs);
  expect(await answer).toEqual(signedIn(ada));
});

test('a person who is no operator any more, or signed out, is not let in', async () => {
  for (const now of [signedIn({ ...ada, operator: false }), nobody]) {
    const { database, health } = world();
    await health(mine, 'GET');
    database.respond = async () => now;
    expect(await health(mine, 'GET')).toEqual(now);
    database.respond = () => Promise.reject(unavailable);
    await expect(health(mine, 'GET')).rejects.toBe(unavailable);
  }
});

test('any other failure stays one', async () => {
  const { database, health } = world();
  await health(mine, 'GET');
  const failure = new Error('a bug');
  database.respond = () => Promise.reject(failure);
  await expect(health(mine, 'GET')).rejects.toBe(failure);
});
