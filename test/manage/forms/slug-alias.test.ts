import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDirectoryChanges } from '../../../src/db/directory/directory.ts';
import { DirectorySnapshot } from '../../../src/db/directory/directory-snapshot.ts';
import { SecretBox } from '../../../src/domain/secrets/secret-box.ts';
import { Directory } from '../../../src/ingest/directory/directory.ts';
import { dayMs, secondMs } from '../../../src/time/clock.ts';
import { ManualClock } from '../../support/clocks.ts';
import { temporaryDataDir } from '../../support/command-line/process.ts';
import { openTestPool } from '../../support/database/database.ts';
import { eventually } from '../../support/diagnostics.ts';
import { type Answer, createSender, expectRejected, post, type Sender } from '../../support/sender.ts';
import { encryptionKey, startTestService, type TestService } from '../../support/service.ts';
import { slugCalls } from './slug-calls.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service.stop());

const { create, rename, remove, release } = slugCalls(() => service);

const endAlias = (workspaceId: string, slug: string) =>
  service.api('POST', `/workspaces/${workspaceId}/former-slugs/end-alias`, { slug });

const formerSlugsOf = async ({ workspaceId }: Sender) =>
  (await service.api('GET', `/workspaces/${workspaceId}/former-slugs`)).json.items;

let sent = 0;
/** To the slug that the sender knows. The same body signed twice in a second would be one lead. */
const send = (sender: Sender) => post(service, sender, 'webhook', `{"n":${++sent}}`);

async function renamedWithAlias(): Promise<Sender> {
  const sender = await createSender(service);
  const { status } = await rename(sender.workspaceId, sender.formId, `${sender.slug}-new`, {
    keep_former_slug: true,
  });
  expect(status).toBe(200);
  return sender;
}

function bytesOf({ status, body, headers }: Answer): unknown {
  const { date: _, 'x-request-id': __, ...others } = headers;
  return { status, body, others, names: Object.keys(headers) };
}

test('without the wish for an alias, a former slug rejects from the rename on', async () => {
  const sender = await createSender(service);
  await rename(sender.workspaceId, sender.formId, `${sender.slug}-new`);
  expectRejected(await send(sender));
  expect(await formerSlugsOf(sender)).toMatchObject([{ slug: sender.slug, alias_until: null }]);
});

test('an alias leads to the form for 30 days, with its secret, and ends like a slug that nobody has', async () => {
  const sender = await renamedWithAlias();
  const accepted = await send(sender);
  expect(accepted.status).toBe(202);
  const { submission_id } = JSON.parse(accepted.body);
  const lead = await service.api('GET', `/workspaces/${sender.workspaceId}/leads/${submission_id}`);
  expect(lead.json.form_id).toBe(sender.formId);
  expectRejected(await post(service, sender, 'webhook', '{"n":0}', { secret: 'not-the-secret' }));
  expect((await send({ ...sender, slug: `${sender.slug}-new` })).status).toBe(202);
  const alias_until = new Date(clock.now() + 30 * dayMs).toISOString();
  const alias_used_at = new Date(clock.now()).toISOString();
  const isUsed = (items: { alias_used_at: string | null }[]) => items[0]?.alias_used_at !== null;
  expect(await eventually(() => formerSlugsOf(sender), isUsed)).toMatchObject([
    { slug: sender.slug, form_id: sender.formId, alias_until, alias_used_at },
  ]);

  clock.advance(30 * dayMs - secondMs);
  expect((await send(sender)).status).toBe(202);
  clock.advance(secondMs);
  const ended = await send(sender);
  expectRejected(ended);
  expect(bytesOf(ended)).toEqual(bytesOf(await send({ ...sender, slug: 'nobody-has-this' })));
  expect(await formerSlugsOf(sender)).toMatchObject([{ alias_until: null, alias_used_at: null }]);
});

const waysToEnd: [string, (sender: Sender) => Promise<unknown>][] = [
  ['an owner ended it', ({ workspaceId, slug }) => endAlias(workspaceId, slug)],
  ['an operator released the slug', ({ workspaceId, slug }) => release(workspaceId, { slug })],
  ['the form was deleted', ({ workspaceId, formId }) => remove(workspaceId, formId)],
];

test.each(waysToEnd)('an alias rejects from the moment that %s', async (_, end) => {
  const sender = await renamedWithAlias();
  expect((await send(sender)).status).toBe(202);
  await end(sender);
  expectRejected(await send(sender));
  for (const { alias_until } of await formerSlugsOf(sender)) expect(alias_until).toBe(null);
});

test('a form that takes the slug of an alias gets its requests, and the alias does not come back', async () => {
  const sender = await renamedWithAlias();
  const { json: next } = await create(sender.workspaceId, { slug: sender.slug });
  // It has no secret yet, so that the one of the other form must not help.
  expectRejected(await send(sender));
  await remove(sender.workspaceId, next.id);
  expectRejected(await send(sender));
});

test('a form that takes its own former slug again has no alias, and one for each slug that it kept', async () => {
  const sender = await renamedWithAlias();
  await rename(sender.workspaceId, sender.formId, `${sender.slug}-third`, { keep_former_slug: true });
  for (const slug of [sender.slug, `${sender.slug}-new`, `${sender.slug}-third`])
    expect((await send({ ...sender, slug })).status).toBe(202);
  await rename(sender.workspaceId, sender.formId, sender.slug);
  expect((await send(sender)).status).toBe(202);
  expectRejected(await send({ ...sender, slug: `${sender.slug}-third` }));
});

test('a slug that workspaces share gets no alias, and the refusal does not say why', async () => {
  const [one, other] = [await createSender(service), await createSender(service)];
  const shared = await create(other.workspaceId, { slug: one.slug, allow_shared_slug: true });
  expect(shared.status).toBe(201);
  const keep = { keep_former_slug: true };
  const refused = await rename(one.workspaceId, one.formId, `${one.slug}-new`, keep);
  expect([refused.status, refused.json.code]).toEqual([409, 'alias_not_available']);
  expect(refused.text).not.toMatch(/workspace|shared|another/i);
  // Also when the other workspace has given it up as well.
  await rename(other.workspaceId, shared.json.id, `${one.slug}-other`);
  expect((await rename(one.workspaceId, one.formId, `${one.slug}-new`, keep)).status).toBe(409);
  expect((await rename(one.workspaceId, one.formId, `${one.slug}-new`)).status).toBe(200);
});

test('nobody else can take a slug while it is an alias, not even an operator who shares slugs', async () => {
  const sender = await renamedWithAlias();
  const other = await createSender(service);
  const taken = await create(other.workspaceId, { slug: sender.slug, allow_shared_slug: true });
  expect([taken.status, taken.json.code]).toEqual([409, 'slug_taken']);
  expect((await endAlias(other.workspaceId, sender.slug)).status).toBe(404);
  expect((await send(sender)).status).toBe(202);
});

test('a wish for an alias without a new slug is refused, and ending an alias twice changes nothing', async () => {
  const sender = await renamedWithAlias();
  const at = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
  expect((await service.api('PATCH', at, { keep_former_slug: true })).status).toBe(422);
  for (let i = 0; i < 2; i++)
    expect((await endAlias(sender.workspaceId, sender.slug)).json).toMatchObject({ alias_until: null });
});

test('an instance that starts from its snapshot knows aliases and their ends; of two for one slug, neither works', async () => {
  const sender = await renamedWithAlias();
  const other = await createSender(service);
  const pool = openTestPool(service.databaseUrl);
  const changes = await readDirectoryChanges(pool, -1);
  await pool.end();
  const scratch = temporaryDataDir();
  const secretBox = new SecretBox(encryptionKey);
  const snapshot = new DirectorySnapshot(scratch.path, secretBox);
  await snapshot.write(changes);
  const read = await snapshot.read();
  scratch.remove();
  const directory = new Directory(secretBox, () => {});
  if (read !== null) directory.apply(read);
  const found = (at: number) => directory.formByAlias(sender.slug, at)?.id ?? null;
  expect([found(clock.now()), found(clock.now() + 30 * dayMs)]).toEqual([sender.formId, null]);

  const aliasUntil = new Date(clock.now() + dayMs);
  const twin = { slug: sender.slug, workspaceId: other.workspaceId, formId: other.formId, aliasUntil };
  directory.apply({ ...changes, formerSlugs: [...(changes.formerSlugs ?? []), twin] });
  expect([found(clock.now()), found(aliasUntil.getTime())]).toEqual([null, sender.formId]);
});
