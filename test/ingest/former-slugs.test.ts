import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDirectoryChanges } from '../../src/db/directory/directory.ts';
import { DirectorySnapshot } from '../../src/db/directory/directory-snapshot.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { Directory } from '../../src/ingest/directory/directory.ts';
import { slugCalls } from '../manage/forms/slug-calls.ts';
import { temporaryDataDir } from '../support/command-line/process.ts';
import { openTestPool } from '../support/database/database.ts';
import { diagnosticsOf, eventually } from '../support/diagnostics.ts';
import { type Answer, createSender, expectRejected, post, type Sender, someLead } from '../support/sender.ts';
import { encryptionKey, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let second: TestService;

beforeAll(async () => {
  service = await startTestService();
  second = await startTestService({ databaseUrl: service.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const { create, rename, remove, release } = slugCalls(() => service);

async function renamedSender(): Promise<Sender> {
  const sender = await createSender(service);
  await rename(sender.workspaceId, sender.formId, `${sender.slug}-new`);
  return sender;
}

/** A rejection that is shown, so that everything before it has been counted, too. */
async function flushed(sender: Sender, by = service): Promise<void> {
  const answer = await post(by, sender, 'server', '[1]');
  const query = `?request_id=${answer.headers['x-request-id']}`;
  const isThere = ({ items }: { items: unknown[] }) => items.length > 0;
  expect(isThere(await eventually(() => diagnosticsOf(service, sender, query), isThere))).toBe(true);
}

async function formsWithUnknown({ workspaceId }: Sender): Promise<(string | null)[]> {
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/diagnostics?reason=form_unknown`);
  return json.items.map(({ form_id }: { form_id: string | null }) => form_id);
}

const unattributed = async (): Promise<number> => {
  const { json } = await service.api('GET', '/operator/unattributed');
  const items: { surface: string; reason: string; count: number }[] = json.items;
  return items.find(({ surface, reason }) => surface === 'webhook' && reason === 'form_unknown')?.count ?? 0;
};

function bytesOf({ status, body, headers }: Answer): unknown {
  const { date: _, 'x-request-id': __, ...others } = headers;
  return { status, body, others, names: Object.keys(headers) };
}

test('a lead sent to a former slug is rejected like one to any unknown slug, and only the owner of the form sees why', async () => {
  const stranger = await createSender(service);
  const sender = await createSender(service);
  expect((await post(service, sender, 'webhook')).status).toBe(202);
  await rename(sender.workspaceId, sender.formId, `${sender.slug}-new`);
  const answer = await post(service, sender, 'webhook', '{"email":"private@example.com"}');
  expectRejected(answer);
  const unknown = await post(service, { ...sender, slug: 'nobody-has-this' }, 'webhook');
  expect(bytesOf(answer)).toEqual(bytesOf(unknown));

  const { items, by_reason, totals } = await eventually(
    () => diagnosticsOf(service, sender),
    (found) => found.items.length > 0 && found.totals.accepted === 1,
  );
  expect(items).toEqual([
    expect.objectContaining({
      ...{ reason: 'form_unknown', surface: 'webhook', form_id: sender.formId, token_id: null },
      ...{ detail: { former_slug: sender.slug }, request_id: answer.headers['x-request-id'] },
    }),
  ]);
  expect(by_reason).toEqual([expect.objectContaining({ reason: 'form_unknown', count: 1 })]);
  expect(totals).toEqual({ accepted: 1, rate_limited: 0, other: 1 });
  await flushed(stranger);
  expect(await formsWithUnknown(stranger)).toEqual([]);
});

test('a signature for a former slug proves nothing: the lead is neither held nor counted as proven', async () => {
  const sender = await renamedSender();
  const body = '{"email":"private@example.com"}';
  const { headers } = await post(service, sender, 'webhook', body);
  await flushed(sender);
  const { items } = await diagnosticsOf(service, sender, `?request_id=${headers['x-request-id']}`);
  const at = `/workspaces/${sender.workspaceId}`;
  const debugged = await service.api('POST', `${at}/forms/${sender.formId}/signature-debug`, {
    rejection_id: items[0].id,
  });
  expect([debugged.status, debugged.text.includes('private')]).toEqual([404, false]);
  const pool = openTestPool(service.databaseUrl);
  const counts = await pool.query(
    `select count::int, proven_count::int as proven from outcome_counts where workspace_id = $1 and outcome = 'form_unknown'`,
    [sender.workspaceId],
  );
  const held = await pool.query(
    `select from held_submissions where workspace_id = $1 and reason = 'form_unknown'`,
    [sender.workspaceId],
  );
  await pool.end();
  expect(counts.rows).toEqual([{ count: 1, proven: 0 }]);
  expect(held.rows).toEqual([]);
});

test('only what is rejected because of the slug is shown to the owner of a former slug', async () => {
  const sender = await renamedSender();
  await post(service, sender, 'webhook', someLead, { method: 'PUT' });
  await post(service, sender, 'webhook', someLead, { headers: { 'Content-Encoding': 'br' } });
  await flushed(sender);
  expect((await diagnosticsOf(service, sender)).by_reason).toHaveLength(1);
});

const waysToEnd: [string, (sender: Sender) => Promise<unknown>][] = [
  ['an operator released it', ({ workspaceId, slug }) => release(workspaceId, { slug })],
  ['its form was deleted', ({ workspaceId, formId }) => remove(workspaceId, formId)],
  [
    'another form used it and was deleted',
    async ({ workspaceId, slug }) => {
      const { json } = await create(workspaceId, { slug });
      await remove(workspaceId, json.id);
    },
  ],
];

test.each(waysToEnd)('a slug is nobody’s former slug any more after %s', async (_, end) => {
  const sender = await renamedSender();
  const other = await createSender(service);
  await post(service, sender, 'webhook');
  await end(sender);
  await flushed(other);
  const [before, known] = [await unattributed(), await formsWithUnknown(sender)];
  expect(known).toEqual([sender.formId]);
  expectRejected(await post(service, sender, 'webhook'));
  expect(await eventually(unattributed, (count) => count > before)).toBe(before + 1);
  expect(await formsWithUnknown(sender)).toEqual(known);
});

test('a slug that several forms gave up belongs to the last one', async () => {
  const sender = await renamedSender();
  const { json: next } = await create(sender.workspaceId, { slug: sender.slug });
  await rename(sender.workspaceId, next.id, `${sender.slug}-next`);
  await post(service, sender, 'webhook');
  await flushed(sender);
  expect(await formsWithUnknown(sender)).toEqual([next.id]);
});

test('another instance soon knows that a slug was given up, and that it was released', async () => {
  const sender = await createSender(service);
  const there = () => post(second, sender, 'webhook');
  await eventually(there, ({ status }) => status === 202);
  await rename(sender.workspaceId, sender.formId, `${sender.slug}-new`);
  await eventually(there, ({ status }) => status === 200);
  const isShown = (forms: unknown[]) => forms.length > 0;
  expect(await eventually(() => formsWithUnknown(sender), isShown)).toContain(sender.formId);
  const before = await unattributed();
  await release(sender.workspaceId, { slug: sender.slug });
  const countedAfterPost = async () => {
    await there();
    return unattributed();
  };
  expect(await eventually(countedAfterPost, (count) => count > before)).toBeGreaterThan(before);
});

test('the snapshot contains former slugs, and one of an earlier version without them loads', async () => {
  const sender = await renamedSender();
  const pool = openTestPool(service.databaseUrl);
  const changes = await readDirectoryChanges(pool, -1);
  await pool.end();
  const scratch = temporaryDataDir();
  const secretBox = new SecretBox(encryptionKey);
  const snapshot = new DirectorySnapshot(scratch.path, secretBox);
  const { formerSlugs: _, ...earlier } = changes;
  const known = [];
  for (const written of [changes, earlier]) {
    await snapshot.write(written);
    const directory = new Directory(secretBox, () => {});
    const read = await snapshot.read();
    if (read !== null) directory.apply(read);
    const ids = (forms: readonly { readonly id: string }[]) => forms.map(({ id }) => id);
    known.push([
      ids(directory.formsBySlug(`${sender.slug}-new`)),
      ids(directory.formsByFormerSlug(sender.slug)),
    ]);
  }
  scratch.remove();
  expect(known).toEqual([
    [[sender.formId], [sender.formId]],
    [[sender.formId], []],
  ]);
});
