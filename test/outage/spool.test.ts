import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutageWorld } from '../support/database/outage-world.ts';
import { eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { head } from '../support/http/raw-request.ts';
import { createSender, post, someLead } from '../support/sender.ts';

let world: OutageWorld;
beforeEach(async () => {
  world = await OutageWorld.create();
});
afterEach(() => world.close());

test('another body under a key that two instances accepted during an outage is kept in quarantine', async () => {
  const [one, two] = [
    await world.start(),
    await world.start({ env: { DATA_DIR: join(world.dataDir, 'two') } }),
  ];
  const sender = await createSender(one);
  await eventually(
    () => post(two, sender, 'server', someLead),
    ({ status }) => status === 202,
  );
  await world.outage.begin();
  const first = await post(one, sender, 'server', '{"n":1}', { key: 'k' });
  const second = await post(two, sender, 'server', '{"n":2}', { key: 'k' });
  expect(second.body).toBe(first.body);
  await world.recover(one);
  await world.recover(two);
  const rows =
    await world.query(`select convert_from(body, 'utf8') as body from leads where coalesce(fields, convert_from(body, 'UTF8')::jsonb) ? 'n'
    union all select 'quarantined ' || convert_from(body, 'utf8') from spool_quarantine`);
  const bodies = rows.map(({ body }) => body as string);
  expect(bodies).toHaveLength(2);
  expect(bodies.map((body) => body.replace('quarantined ', '')).toSorted()).toEqual(['{"n":1}', '{"n":2}']);
  expect(bodies.filter((body) => body.startsWith('quarantined'))).toHaveLength(1);
});

test('with neither PostgreSQL nor spool the connection is closed, and the service recovers by itself', async () => {
  const service = await world.start({ env: { SPOOL_BYTES_MAX: '0' } });
  const sender = await createSender(service);
  await world.outage.begin();
  for (const key of [undefined, 'k']) {
    const options = key === undefined ? {} : { key };
    await expect(post(service, sender, 'server', someLead, options)).rejects.toThrow();
    await expect(post(service, sender, 'webhook', someLead, options)).rejects.toThrow();
  }
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  await world.outage.end();
  const served = await eventually(
    () => post(service, sender, 'server', someLead, { key: 'k' }).catch(() => null),
    (answer) => answer !== null,
  );
  expect(served?.status).toBe(202);
});

test('with neither PostgreSQL nor spool a connection is closed before its body arrives', async () => {
  const service = await world.start({ env: { SPOOL_BYTES_MAX: '0' } });
  const sender = await createSender(service);
  await world.outage.begin();
  // The first one finds that there is no space.
  await expect(post(service, sender, 'server', someLead)).rejects.toThrow();
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(head({ path: '/api/v1/ingest', token: sender.token }, ['Content-Length: 10']));
  await once(socket, 'close');
  expect(socket.bytesRead).toBe(0);
  // A connection that is closed because its body never arrived is not counted.
  const counted = 'leadgate_ingest_requests_total{surface="server",outcome="unavailable"}';
  expect(await metricOf(service, counted)).toBe(2);
});

test('a workspace that has filled its part of the spool does not block the others', async () => {
  const service = await world.start({ env: { SPOOL_BYTES_MAX: String(2 * 1024 * 1024) } });
  const [loud, quiet] = [await createSender(service), await createSender(service)];
  await world.outage.begin();
  const large = JSON.stringify({ text: 'x'.repeat(100_000) });
  const outcomes = [];
  for (let n = 0; n < 10; n++)
    outcomes.push(
      await post(service, loud, 'server', large).then(
        ({ status }) => status,
        () => null,
      ),
    );
  expect(outcomes.slice(0, 5)).toEqual([202, 202, 202, 202, 202]);
  expect(outcomes.at(-1)).toBeNull();
  expect((await post(service, quiet, 'server', large)).status).toBe(202);
  await world.recover(service);
  expect((await post(service, loud, 'server', large)).status).toBe(202);
});

test('a spooled lead that PostgreSQL refuses goes to quarantine with its bytes, and the spool keeps draining', async () => {
  const service = await world.start();
  const sender = await createSender(service);
  await world.query('alter table leads add constraint test_poison check (octet_length(body) <> 8) not valid');
  await world.outage.begin();
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      post(service, sender, 'server', n === 7 ? '{"n":77}' : `{"n":${n + 1_000}}`),
    ),
  );
  await world.recover(service);
  expect(await leadsOf(service, sender)).toHaveLength(19);
  expect(
    await world.query(`select reason, convert_from(body, 'utf8') as body from spool_quarantine`),
  ).toEqual([{ reason: 'refused', body: '{"n":77}' }]);
  expect(await metricOf(service, 'leadgate_spool_quarantined_total')).toBe(1);
});

test('bytes torn by a crash or flipped by a disk are set aside and counted, and every intact lead is stored', async () => {
  const service = await world.start();
  const sender = await createSender(service);
  await world.outage.begin();
  for (let n = 0; n < 6; n++) await post(service, sender, 'server', `{"n":${n}}`);
  await world.stop(service);
  const spool = join(world.dataDir, 'spool');
  // One, unless the drain was running when the first lead came.
  const segments = readdirSync(spool, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .toSorted()
    .map((name) => join(spool, name));
  for (const segment of segments) {
    const bytes = readFileSync(segment);
    const flipAt = bytes.indexOf('{"n":2}');
    if (flipAt !== -1) bytes[flipAt] = 0x5b;
    const isLast = segment === segments.at(-1);
    writeFileSync(segment, bytes.subarray(0, bytes.length - (isLast ? 3 : 0)));
  }

  await world.outage.end();
  const next = await world.start();
  await world.recover(next);
  const leads: { fields: { n: number } }[] = await leadsOf(next, sender);
  expect(leads.map(({ fields }) => fields.n).toSorted()).toEqual([0, 1, 3, 4]);
  await eventually(
    () => metricOf(next, 'leadgate_spool_torn_total'),
    (count) => count === 1,
  );
  expect(await metricOf(next, 'leadgate_spool_torn_total')).toBe(1);
  expect(await metricOf(next, 'leadgate_spool_damaged_total')).toBe(1);
  const asides = readdirSync(join(spool, 'damaged')).map((name) =>
    readFileSync(join(spool, 'damaged', name), 'utf8'),
  );
  expect(asides.some((text) => text.includes('["n":2}'))).toBe(true);
});

test('another instance drains the spool of one that has exited', async () => {
  const [one, two] = [await world.start(), await world.start()];
  const sender = await createSender(one);
  await world.outage.begin();
  await post(one, sender, 'server', '{"n":1}');
  await world.stop(one);
  await world.outage.end();
  const leads = await eventually(
    () => leadsOf(two, sender).catch(() => []),
    ({ length }) => length === 1,
  );
  expect(leads).toMatchObject([{ fields: { n: 1 } }]);
});

test('the spool and the snapshot contain no credentials', async () => {
  const service = await world.start();
  const sender = await createSender(service);
  await post(service, sender, 'server');
  await world.snapshotKept();
  await world.outage.begin();
  await post(service, sender, 'server', someLead, { key: 'a secret of the sender' });
  await post(service, sender, 'webhook');
  const spool = join(world.dataDir, 'spool');
  const files = readdirSync(spool, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(1);
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const text = readFileSync(path, 'latin1');
    for (const secret of [sender.token, sender.secret, 'a secret of the sender'])
      expect(text).not.toContain(secret);
    expect(statSync(path).mode & 0o077).toBe(0);
  }
  expect(statSync(spool).mode & 0o077).toBe(0);
});
