import { expect, test } from 'vitest';
import { hourMs, secondMs } from '../../../src/time/clock.ts';
import { until } from '../delivery-world.ts';
import { HubspotWorld, someLeads } from './hubspot-world.ts';

const here = new HubspotWorld();
const { hubspot } = here;

const addresses = () => [...hubspot.contacts.keys()].toSorted();

test('of 250 leads of which 3 are bad, 247 become contacts once, and only the bad ones are tried again', async () => {
  const destination = await here.destination();
  const isBad = (place: number) => [7, 130, 131].includes(place);
  const leads = someLeads(250).map((lead, i) => ({ ...lead, tags: [isBad(i) ? 'cars' : 'forms'] }));
  const deliveries = await here.waiting(destination, leads);
  const bad = deliveries.filter((_, i) => isBad(i));
  await here.start(destination);
  await until(async () => expect(await here.world.count(destination, 'delivered')).toBe(247));
  for (const id of bad) await here.world.reaches(id, { state: 'pending', last_status: 400 });
  expect(hubspot.contacts.size).toBe(247);
  expect([...hubspot.contacts.values()].every(({ writes }) => writes === 1)).toBe(true);
  const { last_error, last_error_class } = await here.world.delivery(bad[0] as string);
  expect(last_error_class).toBe('refused');
  expect(last_error).toBe(
    'HubSpot refuses the contact: interests: … was not one of the allowed options: [forms, leads]',
  );
  // HubSpot works, whatever it thinks of some leads.
  expect(await here.world.health(destination)).toMatchObject({ consecutive_failures: 0, last_error: null });
  hubspot.upserts.length = 0;
  here.world.clock.shift(hourMs);
  await here.world.wake(destination);
  const again = () => [...new Set(hubspot.upserts.flat().map(({ id }) => id))].toSorted();
  await until(() => expect(again()).toEqual(['p130@example.com', 'p131@example.com', 'p7@example.com']));
  expect(hubspot.contacts.size).toBe(247);
}, 60_000);

test('new leads do not wait for leads that were refused before', async () => {
  const destination = await here.destination();
  const [bad] = await here.waiting(destination, [{ email: 'bad@example.com', tags: 'cars' }]);
  await here.world.pool.query('update deliveries set attempts = 2 where id = $1', [bad]);
  const good = await here.waiting(destination, someLeads(3));
  await here.start(destination);
  for (const id of good) await here.world.reaches(id, { state: 'delivered' });
  await here.world.reaches(bad as string, { attempts: 3 });
  expect(hubspot.upserts.map((inputs) => inputs.length)).toEqual([1, 3]);
});

test('a response that is lost leads to no second contact', async () => {
  const destination = await here.destination();
  hubspot.isMultiStatus = true;
  let isLost = true;
  hubspot.behaviour = (response) => {
    if (isLost) response.end = () => response.destroy() as never;
    isLost = false;
    return false;
  };
  const ids = await here.waiting(destination, someLeads(5));
  await here.start(destination);
  for (const id of ids) await here.world.reaches(id, { state: 'pending', attempts: 1, last_status: null });
  expect(hubspot.contacts.size).toBe(5);
  here.world.clock.shift(10 * secondMs);
  await here.world.wake(destination);
  for (const id of ids) await here.world.reaches(id, { state: 'delivered', attempts: 2 });
  expect([...hubspot.contacts.values()].map(({ writes }) => writes)).toEqual([2, 2, 2, 2, 2]);
  expect(addresses()).toHaveLength(5);
});

test('a lead without an address is skipped, and does not hold up others', async () => {
  const destination = await here.destination();
  const [none, odd, good] = await here.waiting(destination, [
    { name: 'Nobody' },
    { email: 'not an address' },
    { email: 'ada@example.com' },
  ]);
  await here.start(destination);
  await here.world.reaches(good as string, { state: 'delivered' });
  const skipped = { state: 'skipped', attempts: 0, last_error_class: 'no_email' };
  for (const id of [none, odd]) await here.world.reaches(id as string, skipped);
  expect((await here.world.delivery(none as string)).last_error).toBe('The lead has no email address.');
  expect(hubspot.upserts).toHaveLength(1);
});

test('leads of one person become one contact, in their order, whatever the case of the address', async () => {
  const destination = await here.destination();
  const ids = await here.waiting(destination, [
    { email: 'ada@example.com', name: 'First', tags: 'forms' },
    { email: 'bob@example.com', name: 'Bob' },
    { email: 'ADA@example.com', name: 'Second' },
    { email: ' Ada@Example.com', name: 'Third' },
  ]);
  // As if all had failed together: nothing but the number of the event says which came first.
  await here.world.pool.query('update deliveries set next_at = $2 where destination_id = $1', [
    destination,
    new Date(here.world.clock.now()),
  ]);
  await here.start(destination);
  for (const id of ids) await here.world.reaches(id, { state: 'delivered', attempts: 1 });
  expect(hubspot.upserts.map((inputs) => inputs.length)).toEqual([2, 1, 1]);
  expect(hubspot.contacts.get('ada@example.com')).toMatchObject({
    properties: { email: 'ada@example.com', firstname: 'Third', interests: 'forms' },
    writes: 3,
  });
});

test('a response that accepts only some is taken apart, until each lead has its own', async () => {
  hubspot.isMultiStatus = true;
  const destination = await here.destination();
  const ids = await here.waiting(destination, [
    ...someLeads(4),
    { email: 'bad@example.com', name: 'Eve Long', tags: ['cars'] },
  ]);
  const bad = ids.pop() as string;
  await here.start(destination);
  for (const id of ids) await here.world.reaches(id, { state: 'delivered' });
  await here.world.reaches(bad, {
    state: 'pending',
    attempts: 1,
    last_status: 207,
    last_error_class: 'refused',
  });
  expect(addresses()).toEqual(someLeads(4).map(({ email }) => email));
});
