import { expect, test } from 'vitest';
import { destinationSecretOwner, responseHeadOwner } from '../../../src/domain/destination/secrets.ts';
import { minuteMs, secondMs } from '../../../src/time/clock.ts';
import { secretBox, until } from '../delivery-world.ts';
import { throttle } from './hubspot-stand-in.ts';
import { HubspotWorld, mapping, someLeads } from './hubspot-world.ts';

const here = new HubspotWorld();
const { hubspot } = here;

test('a revoked token makes the destination fail, and once it is replaced everything is sent', async () => {
  const destination = await here.destination();
  hubspot.scopes.clear();
  const ids = await here.waiting(destination, someLeads(30));
  await here.start(destination);
  const error = 'The access token is not valid any more. Create one in HubSpot, and change it here.';
  for (const id of ids)
    await here.world.reaches(id, { state: 'pending', attempts: 1, last_status: 401, last_error: error });
  await until(async () =>
    expect(await here.world.health(destination)).toMatchObject({
      consecutive_failures: 1,
      last_error: error,
    }),
  );
  expect(hubspot.upserts).toEqual([]);
  hubspot.scopes.set('pat-new', ['crm.objects.contacts.write']);
  await here.world.pool.query(
    'update destinations set secret_ciphertext = $2, version = version + 1 where id = $1',
    [destination, secretBox.seal('pat-new', destinationSecretOwner(destination))],
  );
  here.world.clock.shift(10 * secondMs);
  await here.world.wake(destination);
  for (const id of ids) await here.world.reaches(id, { state: 'delivered', attempts: 2 });
  expect(hubspot.contacts.size).toBe(30);
});

test('a token without the scope fails with its name', async () => {
  hubspot.scopes.set(hubspot.token, ['crm.schemas.contacts.read']);
  const destination = await here.destination();
  const [id] = await here.waiting(destination, someLeads(1));
  await here.start(destination);
  await here.world.reaches(id as string, {
    last_status: 403,
    last_error: 'The access token lacks a scope: crm.objects.contacts.write.',
  });
});

test('HubSpot is left alone for as long as it asks, with one request', async () => {
  const destination = await here.destination();
  hubspot.behaviour = (response) => throttle(response, { 'retry-after': '600' });
  const ids = await here.waiting(destination, someLeads(20));
  const sentAt = here.world.clock.now();
  await here.start(destination);
  for (const id of ids)
    await here.world.reaches(id, { state: 'pending', attempts: 1, last_error_class: 'throttled' });
  const { next_at } = await here.world.delivery(ids[0] as string);
  expect(next_at.getTime()).toBeGreaterThanOrEqual(sentAt + 10 * minuteMs);
  await here.world.stop();
  expect(hubspot.upserts).toHaveLength(1);
});

test('a slow HubSpot gets full requests, not small ones', async () => {
  const destination = await here.destination();
  const ids = await here.waiting(destination, someLeads(120));
  let looks = 0;
  let release = () => {};
  hubspot.behaviour = (response) => {
    if (hubspot.upserts.length > 1) return false;
    release = () => void response.writeHead(503).end();
    return true;
  };
  await here.world.wake(destination);
  here.world.start({
    hubspotUrl: hubspot.url,
    watch: ({ readDue }) => ({
      readDue: (ref, query) => {
        if (ref.id === destination) looks++;
        return readDue(ref, query);
      },
    }),
  });
  // What it read while the first request was in progress became too old, more than once.
  await until(() => expect(looks).toBeGreaterThan(3));
  expect(hubspot.upserts).toHaveLength(1);
  release();
  await until(async () => expect(await here.world.count(destination, 'delivered')).toBeGreaterThan(80));
  expect(hubspot.upserts.map((inputs) => inputs.length)).toEqual([32, 88]);
  expect(ids).toHaveLength(120);
});

test('a lead that breaks HubSpot is found, and the others arrive', async () => {
  const destination = await here.destination();
  hubspot.behaviour = (response, inputs) => {
    if (!inputs.some(({ id }) => id === 'p5@example.com')) return false;
    response.writeHead(500).end('{"status":"error","message":"internal error"');
    return true;
  };
  const ids = await here.waiting(destination, someLeads(6));
  const poison = ids.pop() as string;
  await here.start(destination);
  for (const id of ids) await here.world.reaches(id, { state: 'delivered' });
  await here.world.reaches(poison, { state: 'pending', attempts: 1, last_status: 500 });
  expect(await here.world.health(destination)).toMatchObject({ consecutive_failures: 0 });
});

test('an account that refuses one lead after the other counts as failing, one that refuses a few does not', async () => {
  hubspot.behaviour = (response) => {
    response.writeHead(400).end('{"message": "no"}');
    return true;
  };
  const few = await here.destination();
  const refused = await here.waiting(few, someLeads(3));
  await here.start(few);
  for (const id of refused) await here.world.reaches(id, { state: 'pending', attempts: 1, last_status: 400 });
  expect(await here.world.health(few)).toMatchObject({ consecutive_failures: 0 });
  const many = await here.destination();
  await here.waiting(many, someLeads(10));
  await here.world.wake(many);
  await until(async () => expect(await here.world.health(many)).toMatchObject({ consecutive_failures: 1 }));
});

test('a property that HubSpot no longer has makes the destination fail, with one request', async () => {
  const destination = await here.destination({ mapping: [...mapping, { from: 'name', to: 'nickname' }] });
  const ids = await here.waiting(destination, someLeads(10));
  await here.start(destination);
  const last_error = 'HubSpot no longer has the contact property `nickname`. Change the mapping.';
  for (const id of ids) await here.world.reaches(id, { state: 'pending', attempts: 1, last_error });
  await until(async () =>
    expect(await here.world.health(destination)).toMatchObject({ consecutive_failures: 1 }),
  );
  expect(hubspot.upserts).toHaveLength(1);
  expect(hubspot.contacts.size).toBe(0);
});

test('what is in progress when the service stops is sent by the next instance', async () => {
  const destination = await here.destination();
  let isHanging = true;
  hubspot.behaviour = () => isHanging;
  const ids = await here.waiting(destination, someLeads(3));
  await here.start(destination);
  await until(() => expect(hubspot.upserts).toHaveLength(1));
  await here.world.stop();
  for (const id of ids) await here.world.reaches(id, { state: 'pending', attempts: 0 });
  isHanging = false;
  await here.start(destination);
  for (const id of ids) await here.world.reaches(id, { state: 'delivered', attempts: 1 });
}, 30_000);

test('the response can be read, the values of the lead and the token cannot', async () => {
  const destination = await here.destination();
  const name = 'Ada Lovelace';
  let echo = '';
  hubspot.behaviour = (response) => {
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ status: 'error', message: `${name} <b>\u202e\n is ada@example.com ${echo}` }));
    return true;
  };
  const [id] = await here.waiting(destination, [{ email: 'ada@example.com', name }]);
  await here.start(destination);
  await here.world.reaches(id as string, { last_error: 'HubSpot refuses the contact: … <b> is …' });
  const [attempt] = await here.world.attempts(id as string);
  const head = secretBox.openBytes(attempt.response_head, responseHeadOwner(id as string)).toString();
  expect(head).toContain('Ada Lovelace');
  echo = hubspot.token;
  here.world.clock.shift(10 * secondMs);
  await here.world.wake(destination);
  await here.world.reaches(id as string, { attempts: 2, last_error: 'HubSpot refuses the contact: 400' });
  expect((await here.world.attempts(id as string))[1].response_head).toBeNull();
});

test('a response that is no JSON refuses the lead by its status', async () => {
  const destination = await here.destination();
  hubspot.behaviour = (response) => response.writeHead(400).end('<html>Bad request') !== null;
  const [id] = await here.waiting(destination, someLeads(1));
  await here.start(destination);
  await here.world.reaches(id as string, { last_error: 'HubSpot refuses the contact: 400' });
});
