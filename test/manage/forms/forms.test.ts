import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../../support/clocks.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace } from '../leads/seed.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let workspaceId: string;
let otherId: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  workspaceId = await createWorkspace(service);
  otherId = await createWorkspace(service, 'Other');
});
afterAll(() => service.stop());

function post(body: unknown, workspace = workspaceId) {
  return service.api('POST', `/workspaces/${workspace}/forms`, body);
}

function patch(formId: string, body: unknown) {
  return service.api('PATCH', `/workspaces/${workspaceId}/forms/${formId}`, body);
}

const fields = [{ key: 'email', label: 'E-mail', type: 'email', required: true }, { key: 'note' }];

test('a form has everything that was sent, and can be read back', async () => {
  const created = await post({ name: 'Contact us', slug: 'full', active: false, fields });
  expect(created.status).toBe(201);
  expect(created.json).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    workspace_id: workspaceId,
    name: 'Contact us',
    slug: 'full',
    active: false,
    fields,
    replay_protection: 'unkeyed',
    keeps_rejected: true,
    unknown_keys: 'shown',
    ignored_keys: [],
    created_at: '2026-11-15T08:00:00.000Z',
    webhook_secret: { configured: false, set_at: null, previous_valid_until: null },
  });
  const read = await service.api('GET', `/workspaces/${workspaceId}/forms/${created.json.id}`);
  expect(read.json).toEqual(created.json);
});

test('a form created from only a name is active and gets its slug from the name', async () => {
  const { json } = await post({ name: 'Über uns (EU)' });
  expect(json).toMatchObject({ slug: 'uber-uns-eu', active: true, fields: [] });
});

test('forms with the same name get numbered slugs, across workspaces', async () => {
  const slugs = [];
  for (const workspace of [workspaceId, workspaceId, otherId]) {
    slugs.push((await post({ name: 'Newsletter' }, workspace)).json.slug);
  }
  expect(slugs).toEqual(['newsletter', 'newsletter-2', 'newsletter-3']);
});

test('a name without a Latin spelling still gets a slug', async () => {
  const { status, json } = await post({ name: 'お問い合わせ' });
  expect(status).toBe(201);
  expect(json.slug).toMatch(/^form-[0-9a-f]+$/);
});

test('a numbered slug of a long name stays within its length', async () => {
  const name = 'x'.repeat(100);
  await post({ name });
  expect((await post({ name })).json.slug).toBe(`${'x'.repeat(62)}-2`);
});

test('a slug that another workspace uses is refused with a suggestion that is available', async () => {
  await post({ name: 'Theirs', slug: 'pricing' }, otherId);
  const { status, json } = await post({ name: 'Ours', slug: 'pricing' });
  expect(status).toBe(409);
  expect(json).toMatchObject({ code: 'slug_taken', suggestion: 'pricing-2' });
  expect(json.detail).toContain('"pricing-2"');
  expect((await post({ name: 'Ours', slug: json.suggestion })).status).toBe(201);
});

test('the operator may share a slug between workspaces, but never inside one', async () => {
  await post({ name: 'Theirs', slug: 'shared' }, otherId);
  const shared = await post({ name: 'Ours', slug: 'shared', allow_shared_slug: true });
  expect([shared.status, shared.json.slug]).toEqual([201, 'shared']);
  const twice = await post({ name: 'Ours again', slug: 'shared', allow_shared_slug: true });
  expect([twice.status, twice.json.code]).toEqual([409, 'slug_taken']);
});

test('when many forms ask for one slug at the same time, one gets it', async () => {
  const workspaces = [workspaceId, otherId, workspaceId, otherId, workspaceId, otherId];
  const answers = await Promise.all(
    workspaces.map((workspace) => post({ name: 'Race', slug: 'race' }, workspace)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
});

test('forms with one name created at the same time get different slugs', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => post({ name: 'Same name' })));
  expect(new Set(answers.map(({ json }) => json.slug)).size).toBe(30);
});

const slugRule = 'use lower-case letters, digits and hyphens; start and end with a letter or digit';

test.each([
  [{ slug: 'fine' }, 'name', 'is required'],
  [{ name: 'Form', slug: 'Not Good' }, 'slug', slugRule],
  [{ name: 'Form', slug: '-a' }, 'slug', slugRule],
  [{ name: 'Form', slug: '' }, 'slug', slugRule],
  [{ name: 'Form', active: 'yes' }, 'active', 'must be true or false'],
  [{ name: 'Form', fields: {} }, 'fields', 'must be a list'],
  [{ name: 'Form', fields: [{ key: '' }] }, 'fields[0].key', 'must not be empty'],
  [{ name: 'Form', fields: [{ key: 'a\0' }] }, 'fields[0].key', 'contains characters that cannot be stored'],
  [{ name: 'Form', fields: [{ key: 'a' }, { key: 'a' }] }, 'fields[1].key', 'occurs twice'],
  [
    { name: 'Form', fields: [{ key: 'a', colour: 1 }] },
    'fields[0].colour',
    /^unknown field; known fields: key, /,
  ],
  [{ name: 'Form', fields: [{ key: 'a', type: 'date' }] }, 'fields[0].type', /^use one of text, email, /],
  [{ name: 'Form', fields: manyFields(201) }, 'fields', 'must have at most 200 entries'],
  [{ name: 'Form', colour: 1 }, 'colour', /^unknown field; known fields: name, slug, /],
])('a form made from %j is refused, and the response names the error', async (body, field, message) => {
  const { status, json } = await post(body);
  expect([status, json.code]).toEqual([422, 'invalid_input']);
  expect(json.errors).toEqual([
    { field, message: typeof message === 'string' ? message : expect.stringMatching(message) },
  ]);
});

test('a slug that is too long gets only the length error', async () => {
  const { json } = await post({ name: 'Form', slug: 'x'.repeat(65) });
  expect(json.errors).toEqual([{ field: 'slug', message: 'must have at most 64 characters' }]);
});

test('a form can have 200 fields', async () => {
  const { json } = await post({ name: 'Large', fields: manyFields(200) });
  expect(json.fields).toHaveLength(200);
});

test('a change touches only what it names', async () => {
  const { json: form } = await post({ name: 'Before', slug: 'untouched', fields });
  expect((await patch(form.id, { active: false })).json).toEqual({ ...form, active: false });
  expect((await patch(form.id, { name: 'After' })).json).toEqual({ ...form, active: false, name: 'After' });
  expect((await patch(form.id, { fields: [] })).json).toMatchObject({ name: 'After', fields: [] });
});

test('a form can keep its slug, and take another; its workspace can use the former one again', async () => {
  const form = await createForm(service, workspaceId, { name: 'Mover', slug: 'old-home' });
  expect((await patch(form.id, { slug: 'old-home' })).status).toBe(200);
  expect((await patch(form.id, { slug: 'new-home' })).json.slug).toBe('new-home');
  expect((await post({ name: 'Next', slug: 'old-home' })).status).toBe(201);
});

test('a form cannot change to a slug that is taken, unless the operator shares it', async () => {
  await post({ name: 'Theirs', slug: 'busy' }, otherId);
  const form = await createForm(service, workspaceId, { name: 'Ours', slug: 'quiet' });
  const refused = await patch(form.id, { slug: 'busy' });
  expect([refused.status, refused.json.suggestion]).toEqual([409, 'busy-2']);
  expect((await patch(form.id, { slug: 'busy', allow_shared_slug: true })).json.slug).toBe('busy');
  expect((await patch(form.id, { slug: 'busy', name: 'Still shared' })).status).toBe(200);
});

test.each([[{}], [{ allow_shared_slug: true }]])(
  'the change %j changes nothing and is refused',
  async (body) => {
    const form = await createForm(service, workspaceId);
    const { status, json } = await patch(form.id, body);
    expect(status).toBe(422);
    expect(json.errors).toEqual([
      {
        field: 'input',
        message:
          'nothing to change; send name, slug, active, fields, replay_protection, keeps_rejected, unknown_keys, ignored_keys',
      },
    ]);
  },
);

test('a deleted form is gone, its slug stays with its workspace, and its secret is erased', async () => {
  const form = await createForm(service, workspaceId, { name: 'Leaving', slug: 'leaving' });
  const at = `/workspaces/${workspaceId}/forms/${form.id}`;
  await service.api('PUT', `${at}/webhook-secret`, {});
  expect((await service.api('DELETE', at)).status).toBe(204);
  for (const [method, path] of [
    ['GET', at],
    ['DELETE', at],
    ['PUT', `${at}/webhook-secret`],
  ] as const) {
    expect((await service.api(method, path)).status).toBe(404);
  }
  const list = await service.api('GET', `/workspaces/${workspaceId}/forms?limit=200`);
  expect(list.json.items.map(({ id }: { id: string }) => id)).not.toContain(form.id);
  expect((await post({ name: 'Arriving', slug: 'leaving' })).status).toBe(201);
});

test('pages of the list hold each living form once, the newest first', async () => {
  const workspace = await createWorkspace(service, 'Paging');
  const made: string[] = [];
  for (let i = 0; i < 3; i++) {
    clock.advance(1000);
    made.unshift((await createForm(service, workspace, { name: `Page ${i}` })).id);
  }
  const first = await service.api('GET', `/workspaces/${workspace}/forms?limit=2`);
  const second = await service.api(
    'GET',
    `/workspaces/${workspace}/forms?limit=2&cursor=${first.json.next_cursor}`,
  );
  expect([...first.json.items, ...second.json.items].map(({ id }) => id)).toEqual(made);
  expect(second.json.next_cursor).toBeNull();
});

function manyFields(count: number) {
  return Array.from({ length: count }, (_, i) => ({ key: `field_${i}` }));
}
