import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHeldBytes } from '../../src/db/held/held-usage.ts';
import { hold } from '../../src/db/held/hold.ts';
import { provenRoom, unprovenRoom } from '../../src/domain/held/held-bounds.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';
import {
  type Form,
  newForm,
  heldAt as receivedAt,
  heldRequest as request,
  roomy,
  sealedBytes,
  several,
  unproven,
} from '../support/database/held.ts';

const mebibyte = 1024 ** 2;
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function setUsage({ workspaceId, formId }: Form, isProven: boolean, rows: number, bytes: number) {
  await pool.query(
    `insert into held_usage (shard, workspace_id, form_id, is_proven, rows, bytes) values ($1, $2, $3, $4, $5, $6)`,
    [shardOf(workspaceId), workspaceId, formId, isProven, rows, bytes],
  );
}

/** What the usage says, and what is really there. */
async function usageOf({ workspaceId, formId }: Form, isProven = true) {
  const { rows: usage } = await pool.query(
    'select rows, bytes from held_usage where workspace_id = $1 and form_id = $2 and is_proven = $3',
    [workspaceId, formId, isProven],
  );
  const { rows: real } = await pool.query(
    `select count(*)::int as rows, coalesce(sum(octet_length(sealed)), 0) as bytes from held_submissions
     where workspace_id = $1 and form_id = $2 and (class <> 'D') = $3`,
    [workspaceId, formId, isProven],
  );
  return { usage: plain(usage[0]), real: plain(real[0]) };
}

const plain = (row: { rows: number; bytes: string } | undefined) => [
  Number(row?.rows ?? 0),
  Number(row?.bytes ?? 0),
];

async function missedOf({ workspaceId }: Form): Promise<number> {
  const { rows } = await pool.query('select sum(count) as count from held_missed where workspace_id = $1', [
    workspaceId,
  ]);
  return Number(rows[0].count);
}

async function idsOf({ workspaceId }: Form): Promise<string[]> {
  const { rows } = await pool.query('select id from held_submissions where workspace_id = $1', [workspaceId]);
  return rows.map(({ id }) => id);
}

test('a request is stored with everything that is known of it', async () => {
  const form = newForm();
  const held = request(form, {
    tokenId: randomUUID(),
    sentAt: new Date(receivedAt - 1000),
    signatureHash: randomBytes(32),
    keyHash: randomBytes(32),
    personHashes: [randomBytes(32), randomBytes(32)],
  });
  expect(await hold(pool, [held], [], roomy)).toEqual(['kept']);
  const { rows } = await pool.query('select * from held_submissions where id = $1', [held.id]);
  expect(rows[0]).toMatchObject({
    shard: held.shard,
    workspace_id: held.workspaceId,
    form_id: held.formId,
    token_id: held.tokenId,
    surface: 'webhook',
    reason: 'form_inactive',
    class: 'A',
    received_at: held.receivedAt,
    request_id: held.requestId,
    sent_at: held.sentAt,
    body_bytes: 10,
    body_hash: held.bodyHash,
    signature_hash: held.signatureHash,
    key_hash: held.keyHash,
    person_hashes: held.personHashes,
    sealed: held.sealed,
    state: 'held',
    expires_at: held.expiresAt,
  });
});

test('a second call with the same requests changes nothing', async () => {
  const form = newForm();
  const held = several(3, form);
  await hold(pool, held, [], roomy);
  expect(await hold(pool, held, [], roomy)).toEqual(['known', 'known', 'known']);
  expect(await usageOf(form)).toEqual({ usage: [3, 3 * sealedBytes], real: [3, 3 * sealedBytes] });
  // Even once there is no room left.
  await pool.query('update held_usage set rows = 20000 where form_id = $1', [form.formId]);
  expect(await hold(pool, held, [], roomy)).toEqual(['known', 'known', 'known']);
  expect(await missedOf(form)).toBe(0);
});

test('the same signed request is kept once, in one call or in several', async () => {
  const form = newForm();
  const signatureHash = randomBytes(32);
  const copies = several(3, form, { signatureHash });
  expect(await hold(pool, copies.slice(0, 2), [], roomy)).toEqual(['kept', 'known']);
  expect(await hold(pool, copies.slice(2), [], roomy)).toEqual(['known']);
  expect(await usageOf(form)).toEqual({ usage: [1, sealedBytes], real: [1, sealedBytes] });
  // A copy in another workspace is another request.
  expect(await hold(pool, [request(newForm(), { signatureHash })], [], roomy)).toEqual(['kept']);
});

test('a form uses at most half of the room of its workspace, by number and by size', async () => {
  for (const [rows, bytes] of [
    [provenRoom.rows / 2 - 1, 0],
    [0, provenRoom.bytes / 2 - sealedBytes],
  ] as const) {
    const form = newForm();
    await setUsage(form, true, rows, bytes);
    expect(await hold(pool, several(2, form), [], roomy)).toEqual(['kept', 'full']);
    expect(await missedOf(form)).toBe(1);
    expect(await hold(pool, several(1, newForm(form.workspaceId)), [], roomy)).toEqual(['kept']);
  }
});

test('a workspace uses at most its room, and what is there stays', async () => {
  const form = newForm();
  await hold(pool, several(1, form), [], roomy);
  await setUsage(newForm(form.workspaceId), true, provenRoom.rows / 2, 0);
  await setUsage(newForm(form.workspaceId), true, provenRoom.rows / 2 - 2, 0);
  expect(await hold(pool, several(2, newForm(form.workspaceId)), [], roomy)).toEqual(['kept', 'full']);
  expect((await usageOf(form)).real).toEqual([1, sealedBytes]);
});

test('all workspaces together use at most what the operator allows', async () => {
  const form = newForm();
  const room = { ...roomy, provenBytesMax: mebibyte, provenBytes: mebibyte - sealedBytes };
  expect(await hold(pool, several(2, form), [], room)).toEqual(['kept', 'full']);
});

test('once half of that is used, workspaces with more than 1/64 of it keep no more', async () => {
  const [large, small] = [newForm(), newForm()];
  const room = { ...roomy, provenBytesMax: 64 * mebibyte, provenBytes: 32 * mebibyte };
  await setUsage(large, true, 1, mebibyte + 1);
  await setUsage(small, true, 1, mebibyte - sealedBytes);
  expect(await hold(pool, several(1, large), [], room)).toEqual(['kept']);
  const full = { ...room, provenBytes: 32 * mebibyte + 1 };
  expect(await hold(pool, several(1, large), [], full)).toEqual(['full']);
  expect(await hold(pool, several(1, small), [], full)).toEqual(['kept']);
});

test('of unproven requests the oldest go first, and none of the proven ones', async () => {
  const form = newForm();
  const proven = several(2, form);
  await hold(pool, proven, [], roomy);
  const requests = Array.from({ length: unprovenRoom.rows + 5 }, (_, second) => unproven(form, second));
  expect(await hold(pool, requests.slice(0, 120), [], roomy)).not.toContain('full');
  expect(await hold(pool, requests.slice(120), [], roomy)).not.toContain('full');
  const left = await idsOf(form);
  const expected = [...proven, ...requests.slice(5)].map(({ id }) => id);
  expect(left.toSorted()).toEqual(expected.toSorted());
  const size = [unprovenRoom.rows, unprovenRoom.rows * sealedBytes];
  expect(await usageOf(form, false)).toEqual({ usage: size, real: size });
  expect(await usageOf(form)).toEqual({ usage: [2, 2 * sealedBytes], real: [2, 2 * sealedBytes] });
});

test('large unproven requests make room for each other by size', async () => {
  const form = newForm();
  const large = () => ({ ...unproven(form, 0), sealed: randomBytes(3 * mebibyte) });
  const requests = [large(), large(), large()].map((one, second) => ({
    ...one,
    receivedAt: new Date(receivedAt + second),
  }));
  for (const one of requests) expect(await hold(pool, [one], [], roomy)).toEqual(['kept']);
  expect((await idsOf(form)).toSorted()).toEqual(
    requests
      .slice(1)
      .map(({ id }) => id)
      .toSorted(),
  );
  expect(await usageOf(form, false)).toEqual({ usage: [2, 6 * mebibyte], real: [2, 6 * mebibyte] });
});

test('unproven requests of all workspaces together have their own bound', async () => {
  const form = newForm();
  const full = { ...roomy, unprovenBytes: roomy.unprovenBytesMax };
  expect(await hold(pool, [unproven(form, 0), request(form)], [], full)).toEqual(['full', 'kept']);
  expect(await missedOf(form)).toBe(0);
});

test('requests to a slug that another workspace used before are kept only if their sender is proven', async () => {
  const form = newForm();
  const former = newForm();
  const slug = `former-${randomUUID()}`;
  await pool.query(
    `insert into workspaces (id, name, created_at, revision) values ($1, 'Former', now(), 1)`,
    [former.workspaceId],
  );
  await pool.query(
    `insert into forms (id, workspace_id, name, slug, active, created_at, revision)
     values ($1, $2, 'Former', $3, true, now(), 1)`,
    [former.formId, former.workspaceId, `new-${slug}`],
  );
  await pool.query(
    'insert into former_slugs (slug, workspace_id, form_id, freed_at) values ($1, $2, $3, now())',
    [slug, former.workspaceId, former.formId],
  );
  const unprovenTo = (one: Form) => ({ ...unproven(one, 0), slug });
  const requests = [unprovenTo(form), unprovenTo(former), request(form, { slug })];
  expect(await hold(pool, requests, [], roomy)).toEqual(['excluded', 'kept', 'kept']);
  expect(await missedOf(form)).toBe(0);
});

test('a body whose lead was erased after it arrived is not kept', async () => {
  const form = newForm();
  const bodyHash = randomBytes(32);
  await pool.query(
    `insert into lead_erasures (shard, workspace_id, submission_id, received_at, erased_at, body_hash)
     values ($1, $2, $3, $4, $4, $5)`,
    [shardOf(form.workspaceId), form.workspaceId, randomUUID(), new Date(receivedAt), bodyHash],
  );
  const later = new Date(receivedAt + 1);
  const requests = [request(form, { bodyHash }), request(form, { bodyHash, receivedAt: later })];
  expect(await hold(pool, requests, [], roomy)).toEqual(['excluded', 'kept']);
  // The same body in another workspace.
  expect(await hold(pool, [request(newForm(), { bodyHash })], [], roomy)).toEqual(['kept']);
});

test('what was missed is added up by day', async () => {
  const form = newForm();
  const { workspaceId } = form;
  const missed = { shard: shardOf(workspaceId), workspaceId, day: '2026-11-15', count: 3 };
  await hold(pool, [], [missed], roomy);
  await setUsage(form, true, provenRoom.rows, 0);
  await hold(pool, [request(form)], [missed, { ...missed, day: '2026-11-16' }], roomy);
  const { rows } = await pool.query(
    `select to_char(day, 'YYYY-MM-DD') as day, count from held_missed where workspace_id = $1 order by day`,
    [workspaceId],
  );
  expect(rows.map(({ day, count }) => [day, Number(count)])).toEqual([
    ['2026-11-15', 7],
    ['2026-11-16', 3],
  ]);
});

test('two instances that hold requests of the same workspaces at the same time count exactly, and within the bounds', async () => {
  const workspaces = Array.from({ length: 6 }, () => randomUUID());
  // New forms, so that neither instance finds rows of usage to lock.
  const near = Object.fromEntries(workspaces.map((id) => [id, newForm(id)]));
  for (const form of Object.values(near)) await setUsage(form, true, provenRoom.rows - 10, 0);
  const forms = workspaces.flatMap((id) => [newForm(id), newForm(id)]);
  const others = new pg.Pool({ connectionString: database.url, max: 8 });
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, n) => {
      const order = n % 2 === 0 ? forms : forms.toReversed();
      return hold(
        others,
        order.flatMap((form) => [...several(2, form), unproven(form, n)]),
        [],
        roomy,
      );
    }),
  );
  await others.end();
  const kept = outcomes.flat().filter((outcome) => outcome === 'kept').length;
  // Ten proven ones of each workspace, and all of the others.
  expect(kept).toBe(6 * 10 + 8 * forms.length);
  for (const form of forms) {
    for (const isProven of [true, false]) {
      const { usage, real } = await usageOf(form, isProven);
      expect(usage).toEqual(real);
    }
  }
});

test('what all workspaces use is read as two sums', async () => {
  const before = await readHeldBytes(pool);
  const form = newForm();
  await hold(pool, [request(form), unproven(form, 0)], [], roomy);
  expect(await readHeldBytes(pool)).toEqual({
    proven: before.proven + sealedBytes,
    unproven: before.unproven + sealedBytes,
  });
});
