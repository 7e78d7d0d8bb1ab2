import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formerSlugsMax, slugChangesPerDayMax } from '../../../src/manage/forms/slugs.ts';
import { dayMs } from '../../../src/time/clock.ts';
import { ManualClock } from '../../support/clocks.ts';
import { createTestDatabase, openTestPool } from '../../support/database/database.ts';
import { diagnosticsOf, eventually } from '../../support/diagnostics.ts';
import { createSender, expectRejected, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace } from '../leads/seed.ts';
import { slugCalls } from './slug-calls.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service.stop());

const { create, rename, remove, checkSlug, release, formerSlugs } = slugCalls(() => service);

const waysToGiveUp: [string, (sender: Sender) => Promise<unknown>][] = [
  ['was renamed', ({ workspaceId, formId, slug }) => rename(workspaceId, formId, `${slug}-new`)],
  ['was deleted', ({ workspaceId, formId }) => remove(workspaceId, formId)],
];

describe.each(waysToGiveUp)('after a form %s', (_, giveUp) => {
  test('no other workspace can use its slug or see what its sender still posts', async () => {
    const sender = await createSender(service);
    const thief = await createSender(service);
    await giveUp(sender);
    const taken = [
      await create(thief.workspaceId, { slug: sender.slug }),
      await rename(thief.workspaceId, thief.formId, sender.slug),
      await create(thief.workspaceId, { slug: sender.slug, allow_shared_slug: true }),
      await rename(thief.workspaceId, thief.formId, sender.slug, { allow_shared_slug: true }),
    ];
    expect(taken.map(({ status, json }) => [status, json.code])).toEqual(Array(4).fill([409, 'slug_taken']));
    const made = await create(thief.workspaceId, { name: sender.slug });
    expect(made.json.slug).toBe(`${sender.slug}-2`);
    expectRejected(await post(service, sender, 'webhook'));
    // A rejection that the thief does see, and that was counted after the other.
    expectRejected(await post(service, thief, 'webhook', '{"seen":true}', { secret: 'wrong' }));
    const { items } = await eventually(
      () => diagnosticsOf(service, thief),
      (found) => found.items.length > 0,
    );
    expect(items.map(({ form_id }: { form_id: string }) => form_id)).toEqual([thief.formId]);
  });

  test('its workspace can use the slug again, and it is then no longer a former slug', async () => {
    const sender = await createSender(service);
    await giveUp(sender);
    expect(await formerSlugs(sender.workspaceId)).toEqual([sender.slug]);
    expect(await checkSlug(sender.workspaceId, `slug=${sender.slug}`)).toMatchObject({ free: true });
    expect((await create(sender.workspaceId, { slug: sender.slug })).status).toBe(201);
    expect(await formerSlugs(sender.workspaceId)).toEqual([]);
  });
});

test('a former slug cannot be told from one in use: same responses, with a suggestion that is available', async () => {
  const stranger = await createWorkspace(service);
  const holder = await createWorkspace(service);
  for (const slug of ['in-use', 'in-past', 'in-past-2']) {
    const form = await createForm(service, holder, { name: 'Theirs', slug });
    if (slug !== 'in-use') await remove(holder, form.id);
  }
  await createForm(service, holder, { name: 'Theirs', slug: 'in-use-2' });
  const own = await createForm(service, stranger, { name: 'Own' });
  const answersOf = async (slug: string) => {
    const answers = [
      (await create(stranger, { slug })).text,
      (await rename(stranger, own.id, slug)).text,
      JSON.stringify(await checkSlug(stranger, `slug=${slug}`)),
      JSON.stringify(await checkSlug(stranger, `name=${slug}`)),
    ];
    return answers.map((text) => text.replaceAll(slug, '<slug>'));
  };
  const former = await answersOf('in-past');
  expect(former).toEqual(await answersOf('in-use'));
  expect(former[0]).toContain('The slug \\"<slug>\\" is not available. \\"<slug>-3\\" is available.');
});

describe('races', () => {
  test('a slug that is freed while another workspace asks for it never goes there', async () => {
    const thief = await createWorkspace(service);
    for (let round = 0; round < 10; round++) {
      const holder = await createWorkspace(service);
      const slug = `fought-over-${round}`;
      const form = await createForm(service, holder, { name: 'Ours', slug });
      const giveUp = round % 2 === 0 ? rename(holder, form.id, `${slug}-new`) : remove(holder, form.id);
      const answers = await Promise.all([
        create(thief, { slug }),
        create(thief, { slug }),
        giveUp,
        create(thief, { slug }),
        create(thief, { slug }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([409, 409, round % 2 === 0 ? 200 : 204, 409, 409]);
      expect(await formerSlugs(holder)).toEqual([slug]);
    }
  });

  test('a workspace that takes its slug back gets it, even if others ask for it at the same time', async () => {
    const holder = await createWorkspace(service);
    const others = await Promise.all(Array.from({ length: 4 }, () => createWorkspace(service)));
    await remove(holder, (await createForm(service, holder, { name: 'Ours', slug: 'ours' })).id);
    const answers = await Promise.all(
      [...others, holder, ...others].map((workspaceId) => create(workspaceId, { slug: 'ours' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409, 201, 409, 409, 409, 409]);
  });

  test('only one workspace gets a slug, even with stricter default isolation', async () => {
    const database = await createTestDatabase();
    const pool = openTestPool(database.url);
    const { rows } = await pool.query('select quote_ident(current_database()) as name');
    await pool.query(`alter database ${rows[0].name} set default_transaction_isolation = 'repeatable read'`);
    await pool.end();
    const strange = await startTestService({ databaseUrl: database.url });
    const calls = slugCalls(() => strange);
    const workspaces = await Promise.all(Array.from({ length: 8 }, () => createWorkspace(strange)));
    const answers = await Promise.all(workspaces.map((id) => calls.create(id, { slug: 'wanted' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    await strange.stop();
    await database.drop();
  });

  test('two forms that swap slugs with others at the same time leave no slug unowned', async () => {
    const workspaceId = await createWorkspace(service);
    const slugs = ['swap-1', 'swap-2', 'swap-3'];
    const forms = [];
    for (const slug of slugs.slice(0, 2))
      forms.push(await createForm(service, workspaceId, { name: 'S', slug }));
    for (let round = 0; round < 4; round++) {
      await Promise.all(forms.map(({ id }) => rename(workspaceId, id, slugs[round % 3] as string)));
      const list = await service.api('GET', `/workspaces/${workspaceId}/forms`);
      const used = list.json.items.map(({ slug }: { slug: string }) => slug);
      expect([...used, ...(await formerSlugs(workspaceId))].sort()).toEqual(
        slugs.slice(0, round < 2 ? 2 : 3),
      );
    }
  });
});

describe('limits', () => {
  test(`a workspace can free ${slugChangesPerDayMax} slugs a day, and refused changes do not count`, async () => {
    const workspaceId = await createWorkspace(service);
    const form = await createForm(service, workspaceId, { name: 'Restless', slug: 'restless-0' });
    const doomed = await createForm(service, workspaceId, { name: 'Doomed' });
    for (let i = 1; i < slugChangesPerDayMax; i++) {
      expect((await rename(workspaceId, form.id, `restless-${i}`)).status).toBe(200);
    }
    const refused = await create(await createWorkspace(service), { slug: 'somebody-elses' });
    expect((await rename(workspaceId, form.id, refused.json.slug)).json.code).toBe('slug_taken');
    expect((await rename(workspaceId, form.id, `restless-${slugChangesPerDayMax - 1}`)).status).toBe(200);
    expect((await rename(workspaceId, form.id, 'restless-last')).status).toBe(200);
    for (const answer of [
      await rename(workspaceId, form.id, 'restless-0'),
      await rename(workspaceId, form.id, 'restless-more'),
      await remove(workspaceId, doomed.id),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([409, 'too_many_slug_changes']);
      expect(answer.json.detail).toContain('20 slugs today');
    }
    expect(await formerSlugs(workspaceId)).toHaveLength(slugChangesPerDayMax);
    const current = await service.api('GET', `/workspaces/${workspaceId}/forms/${form.id}`);
    expect(current.json.slug).toBe('restless-last');
    expect(
      (await service.api('PATCH', `/workspaces/${workspaceId}/forms/${form.id}`, { name: 'N' })).status,
    ).toBe(200);
    clock.advance(dayMs - (clock.now() % dayMs));
    expect((await remove(workspaceId, doomed.id)).status).toBe(204);
  });

  test('parallel changes cannot pass the limit', async () => {
    const workspaceId = await createWorkspace(service);
    const forms = [];
    for (let i = 0; i < slugChangesPerDayMax + 5; i++) {
      forms.push(await createForm(service, workspaceId, { name: 'Many' }));
    }
    const answers = await Promise.all(forms.map(({ id }) => remove(workspaceId, id)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(slugChangesPerDayMax);
    expect(await formerSlugs(workspaceId)).toHaveLength(slugChangesPerDayMax);
  });

  test(`a workspace has at most ${formerSlugsMax} former slugs; using or releasing one makes space`, async () => {
    const workspaceId = await createWorkspace(service);
    const form = await createForm(service, workspaceId, { name: 'Hoarder', slug: 'hoard' });
    const pool = openTestPool(service.databaseUrl);
    await pool.query(
      `insert into former_slugs (slug, workspace_id, form_id, freed_at)
       select 'hoard-' || i, $1, $2, '2026-01-01' from generate_series(1, $3::int) i`,
      [workspaceId, form.id, formerSlugsMax],
    );
    await pool.end();
    const refused = [await rename(workspaceId, form.id, 'hoard-new'), await remove(workspaceId, form.id)];
    for (const { status, json } of refused) {
      expect([status, json.code]).toEqual([409, 'too_many_former_slugs']);
      expect(json.detail).toContain('limit of 200 former slugs');
    }
    // One goes, one comes.
    expect((await rename(workspaceId, form.id, 'hoard-1')).status).toBe(200);
    expect((await rename(workspaceId, form.id, 'hoard-new')).json.code).toBe('too_many_former_slugs');
    await release(workspaceId, { slug: 'hoard-2' });
    expect((await rename(workspaceId, form.id, 'hoard-new')).status).toBe(200);
  });
});
