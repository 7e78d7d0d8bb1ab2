import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, join, makeOperator } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { diagnosticsOf, eventually } from '../../support/diagnostics.ts';
import { createSender, expectRejected, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace } from '../leads/seed.ts';
import { slugCalls } from './slug-calls.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service.stop());

const { create, rename, remove, release, formerSlugs } = slugCalls(() => service);

describe('release', () => {
  let operator: Browser;
  beforeAll(async () => {
    operator = await join(service, await createWorkspace(service), 'operator@example.com', 'owner');
    await makeOperator(service, operator);
  });

  test('an operator finds the holder of a former slug and releases it, and both audit logs show it', async () => {
    const sender = await createSender(service);
    await remove(sender.workspaceId, sender.formId);
    const found = await operator.api('GET', `/operator/former-slugs?slug=${sender.slug}`);
    expect(found.json.items).toEqual([
      {
        slug: sender.slug,
        workspace_id: sender.workspaceId,
        workspace_name: `Workspace of ${sender.slug}`,
        form_id: sender.formId,
        freed_at: new Date(clock.now()).toISOString(),
        alias_until: null,
        alias_used_at: null,
      },
    ]);
    const path = `/workspaces/${sender.workspaceId}/former-slugs`;
    expect((await operator.api('GET', path)).json.items).toHaveLength(1);
    clock.advance(1000);
    const body = { slug: sender.slug, reason: 'They moved to another workspace' };
    expect((await operator.api('POST', `${path}/release`, body)).json.slug).toBe(sender.slug);
    expect(await formerSlugs(sender.workspaceId)).toEqual([]);
    const entry = { action: 'releaseAFormerSlug', changes: body, actor: { name: 'operator@example.com' } };
    const own = await service.api('GET', `/workspaces/${sender.workspaceId}/audit`);
    expect(own.json.items).toContainEqual(
      expect.objectContaining({ ...entry, actor: expect.objectContaining(entry.actor) }),
    );
    const all = await service.api('GET', '/operator/audit');
    expect(all.json.items[0]).toMatchObject({ ...entry, workspace_id: sender.workspaceId });
    expect((await create(await createWorkspace(service), { slug: sender.slug })).status).toBe(201);
  });

  test('only a former slug of the workspace can be released', async () => {
    const { workspaceId, slug } = await createSender(service);
    const other = await createSender(service);
    await remove(other.workspaceId, other.formId);
    for (const named of [slug, other.slug, 'never-heard-of']) {
      expect((await release(workspaceId, { slug: named })).status).toBe(404);
    }
    expect(await formerSlugs(other.workspaceId)).toEqual([other.slug]);
  });

  test('an owner who is not an operator cannot release a slug', async () => {
    const { workspaceId, formId, slug } = await createSender(service);
    const owner = await join(service, workspaceId, 'owner@example.com', 'owner');
    await owner.api('DELETE', `/workspaces/${workspaceId}/forms/${formId}`);
    const refused = await owner.api('POST', `/workspaces/${workspaceId}/former-slugs/release`, { slug });
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
    const listed = await owner.api('GET', `/workspaces/${workspaceId}/former-slugs`);
    expect(listed.json.items).toMatchObject([{ slug, form_id: formId }]);
  });
});

describe('a slug that an operator made two workspaces share', () => {
  test('stays reserved for both, so that neither reads what the other is sent', async () => {
    const [first, second] = [await createSender(service), await createSender(service)];
    const { slug } = first;
    expect((await rename(second.workspaceId, second.formId, slug, { allow_shared_slug: true })).status).toBe(
      200,
    );
    await rename(first.workspaceId, first.formId, `${slug}-first`);
    expect(await formerSlugs(first.workspaceId)).toEqual([slug]);
    const back = await rename(first.workspaceId, first.formId, slug);
    expect([back.status, back.json.code]).toEqual([409, 'slug_taken']);
    await rename(second.workspaceId, second.formId, `${slug}-second`);
    for (const { workspaceId, formId } of [first, second]) {
      for (const more of [{}, { allow_shared_slug: true }]) {
        expect((await rename(workspaceId, formId, slug, more)).json.code).toBe('slug_taken');
      }
    }
    expect((await service.api('GET', `/operator/former-slugs?slug=${slug}`)).json.items).toHaveLength(2);
    await release(second.workspaceId, { slug });
    expect((await rename(first.workspaceId, first.formId, slug)).status).toBe(200);
  });

  test('keeps no request for the debugger, neither while it is shared nor after one has left it', async () => {
    const [first, second] = [await createSender(service), await createSender(service)];
    const shared = { ...second, slug: first.slug };
    await rename(second.workspaceId, second.formId, first.slug, { allow_shared_slug: true });
    const rejectionOf = async (sender: Sender) => {
      const answer = await post(service, sender, 'webhook', '{"email":"private@example.com"}');
      expectRejected(answer);
      const query = `?request_id=${answer.headers['x-request-id']}`;
      const { items } = await eventually(
        () => diagnosticsOf(service, second, query),
        (found) => found.items.length > 0,
      );
      const path = `/workspaces/${second.workspaceId}/forms/${second.formId}/signature-debug`;
      const { status, json, text } = await service.api('POST', path, { rejection_id: items[0].id });
      expect(text).not.toContain('private');
      return [items[0].reason, status, json.code];
    };
    expect(await rejectionOf(first)).toEqual(['slug_ambiguous', 404, 'request_not_kept']);
    await rename(first.workspaceId, first.formId, `${first.slug}-left`);
    expect(await rejectionOf(first)).toEqual(['signature_mismatch', 404, 'request_not_kept']);
    expect((await post(service, shared, 'webhook')).status).toBe(202);
  });
});
