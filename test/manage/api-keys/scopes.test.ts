import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallDeclaration } from '../../../src/contract/call.ts';
import { calls } from '../../../src/contract/calls.ts';
import { type Scope, scopes } from '../../../src/domain/api-key/scope.ts';
import { join } from '../../support/browser/browser.ts';
import { TestInternet } from '../../support/egress.ts';
import { type ApiAnswer, startTestService, type TestService } from '../../support/service.ts';
import { addDelivery, createDestination, newDestination } from '../destinations/some-deliveries.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';
import { callWithKey, createApiKey } from './key-holder.ts';

let service: TestService;
/** What a test of a destination is sent to. */
let internet: TestInternet;
let seed: Seed;
let workspaceId: string;
let otherWorkspaceId: string;
let lastDestinationId = 'none';
/** Of the other workspace, with every scope. */
let foreignKey: string;
let revokedKey: string;
let expiredKey: string;
/** What a call that is refused would have found. */
let objects: Readonly<Record<string, string>>;

const provider = { url: 'https://api.provider-public.com/v1', mapping: { 'company.name': 'name' } };
const keys = new Map<string, Promise<string>>();

/** The key of the workspace with these scopes. */
function keyWith(given: readonly Scope[]): Promise<string> {
  const name = given.join(' ');
  const made = keys.get(name) ?? createApiKey(service, workspaceId, given).then(({ key }) => key);
  keys.set(name, made);
  return made;
}

beforeAll(async () => {
  internet = await new TestInternet().start();
  service = await startTestService({ egress: internet });
  seed = new Seed(service);
  workspaceId = await createWorkspace(service);
  otherWorkspaceId = await createWorkspace(service);
  foreignKey = (await createApiKey(service, otherWorkspaceId, scopes)).key;
  const revoked = await createApiKey(service, workspaceId, scopes);
  await service.api('DELETE', `/workspaces/${workspaceId}/api-keys/${revoked.id}`);
  revokedKey = revoked.key;
  const expired = await createApiKey(service, workspaceId, scopes);
  await seed.query('update api_keys set expires_at = $1 where id = $2', [
    new Date(Date.now() - 1),
    expired.id,
  ]);
  expiredKey = expired.key;
  await join(service, workspaceId, 'owner@example.com', 'owner');
  objects = await newObjects();
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
  await internet.stop();
});

/** Something for each parameter of a path that a key can reach. */
async function newObjects(): Promise<Record<string, string>> {
  const form_id = (await createForm(service, workspaceId)).id;
  await service.api('PUT', `/workspaces/${workspaceId}/forms/${form_id}/webhook-secret`, {});
  const token = await service.api('POST', `/workspaces/${workspaceId}/tokens`, { name: 'Backend', form_id });
  const submission_id = await seed.lead(workspaceId, { form_id });
  await service.api('PUT', `/workspaces/${workspaceId}/enrichment-provider`, provider);
  // One at a time: there are more endpoints than a workspace can have destinations.
  await service.api('DELETE', `/workspaces/${workspaceId}/destinations/${lastDestinationId}`);
  const destination_id = (await createDestination(service, workspaceId)).id;
  lastDestinationId = destination_id;
  const delivery_id = await addDelivery(seed, workspaceId, destination_id, { submission_id, state: 'dead' });
  const replay = await service.api('POST', `/workspaces/${workspaceId}/deliveries/replays`, {
    filter: { to: '2026-01-01T00:00:00Z' },
  });
  const deliveries = { destination_id, delivery_id, replay_id: replay.json.id };
  const held_id = await seed.held(workspaceId, form_id);
  const held = { held_id, decision_id: await seed.heldDecision(workspaceId) };
  return {
    workspace_id: workspaceId,
    form_id,
    token_id: token.json.id,
    submission_id,
    ...deliveries,
    ...held,
  };
}

const named = (some: readonly CallDeclaration[]) =>
  some.map((call) => [call.method.toUpperCase(), call.path, call] as const);
const scopesOf = ({ access: { scope } }: CallDeclaration): readonly Scope[] =>
  scope === undefined || scope === 'any' ? [] : [scope].flat();

const reachable = calls.filter(({ access }) => access.scope !== undefined);
const scoped = reachable.filter(({ access }) => access.scope !== 'any');
const closed = calls.filter(({ access }) => access.scope === undefined);
const intoWorkspace = calls.filter(({ path }) => path.includes(':workspace_id'));

function address(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? randomUUID());
}

/** The input with which a call succeeds, where it needs one. */
const inputs: Readonly<Record<string, (ids: Readonly<Record<string, string>>) => object>> = {
  'POST /workspaces/:workspace_id/forms': () => ({ name: 'New', slug: `new-${randomUUID().slice(0, 8)}` }),
  'PATCH /workspaces/:workspace_id/forms/:form_id': () => ({ name: 'Renamed' }),
  'PUT /workspaces/:workspace_id/forms/:form_id/webhook-secret': () => ({}),
  'PUT /workspaces/:workspace_id/forms/:form_id/scoring': () => ({ settings: {} }),
  'POST /workspaces/:workspace_id/forms/:form_id/scoring/dry-run': () => ({ settings: {} }),
  'POST /workspaces/:workspace_id/forms/:form_id/signature-debug': () => ({ body: '{}' }),
  'POST /workspaces/:workspace_id/tokens': ({ form_id }) => ({ name: 'New', form_id }),
  'POST /workspaces/:workspace_id/tokens/:token_id/rotation': () => ({}),
  'PUT /workspaces/:workspace_id/leads/:submission_id/mark': () => ({ mark: 'spam' }),
  'PUT /workspaces/:workspace_id/enrichment-provider': () => provider,
  'POST /workspaces/:workspace_id/destinations': () => newDestination,
  'PATCH /workspaces/:workspace_id/destinations/:destination_id': () => ({ name: 'Renamed' }),
  'POST /workspaces/:workspace_id/destinations/dry-run': () => ({}),
  'POST /workspaces/:workspace_id/destinations/:destination_id/dry-run': () => ({}),
  'POST /workspaces/:workspace_id/destinations/:destination_id/secret-rotation': () => ({}),
  'POST /workspaces/:workspace_id/deliveries/replays': () => ({ filter: {}, dry_run: true }),
  'POST /workspaces/:workspace_id/held/admissions': () => ({ dry_run: true }),
  'POST /workspaces/:workspace_id/held/discards': () => ({ dry_run: true }),
  'POST /workspaces/:workspace_id/held/re-verification': ({ form_id }) => ({ form_id }),
  'POST /workspaces/:workspace_id/held/:held_id/admission': () => ({}),
};

/** Let in, and then served, or told what is wrong with the input. */
const isLetIn = ({ status, json }: ApiAnswer) =>
  status < 500 && status !== 401 && status !== 403 && json?.detail !== 'There is no such workspace.';

describe('an endpoint of the API', () => {
  test.each(named(reachable))('%s %s is open to a key with its scopes', async (method, path, call) => {
    const key = await keyWith(call.access.scope === 'any' ? ['browser:mint'] : scopesOf(call));
    const name = `${method} ${path}`;
    const ids = await newObjects();
    const query = path.endsWith('/slug-check') ? '?slug=available' : '';
    const answer = await callWithKey(service, key, method, address(path, ids) + query, inputs[name]?.(ids));
    expect(isLetIn(answer), answer.text).toBe(true);
    const isComplete = [...path.matchAll(/:(\w+)/g)].every(([, id = '']) => id in ids);
    const needsInput = call.body !== undefined && !(name in inputs);
    if (isComplete && !needsInput) expect(answer.status, answer.text).toBeLessThan(300);
  });

  test.each(named(scoped))('%s %s is closed to a key with all other scopes', async (method, path, call) => {
    for (const needed of scopesOf(call)) {
      const key = await keyWith(scopes.filter((scope) => scope !== needed));
      const { status, json } = await callWithKey(service, key, method, address(path, objects));
      expect([status, json.code]).toEqual([403, 'scope_missing']);
      expect(json.detail).toContain(`the scope ${needed}.`);
    }
  });

  test.each(named(scoped))('%s %s is closed to a key without its scopes', async (method, path, call) => {
    const unrelated = scopes.filter((scope) => !scopesOf(call).includes(scope)).slice(0, 1);
    const { status, json } = await callWithKey(
      service,
      await keyWith(unrelated),
      method,
      address(path, objects),
    );
    expect([status, json.code]).toEqual([403, 'scope_missing']);
    for (const needed of scopesOf(call)) expect(json.detail).toContain(needed);
  });

  test.each(named(closed))('%s %s is closed to every key', async (method, path) => {
    const { status, json } = await callWithKey(
      service,
      await keyWith(scopes),
      method,
      address(path, objects),
    );
    expect([status, json.code]).toEqual([403, 'forbidden']);
  });

  test.each(named(intoWorkspace))(
    '%s %s is not there for a key of another workspace',
    async (method, path) => {
      const { status, json } = await callWithKey(service, foreignKey, method, address(path, objects));
      expect([status, json.code, json.detail]).toEqual([404, 'not_found', 'There is no such workspace.']);
    },
  );

  test.each(named(calls))('%s %s is closed to a revoked and to an expired key', async (method, path) => {
    for (const key of [revokedKey, expiredKey]) {
      const { status, json, headers } = await callWithKey(service, key, method, address(path, objects));
      expect([status, json.code, headers.get('www-authenticate')]).toEqual([401, 'unauthorized', 'Bearer']);
    }
  });
});

test('keys never reach people, invitations, the audit log, operators or other keys', () => {
  const kept = /\/(?:me|members|invitations|audit|operator|api-keys|setup|password-resets|changes)(?:\/|$)/;
  expect(reachable.filter(({ path }) => kept.test(path))).toEqual([]);
});

test('an endpoint that sends leads elsewhere also needs the scope to read them', () => {
  const wrong = reachable.filter(
    (call) =>
      (scopesOf(call).includes('destinations:write') || /enrichment-provider$/.test(call.path)) &&
      ['post', 'put', 'patch'].includes(call.method) &&
      !call.path.endsWith('/pause') &&
      !scopesOf(call).includes('leads:read'),
  );
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('nothing that was refused changed anything', async () => {
  const form = await service.api('GET', `/workspaces/${workspaceId}/forms/${objects.form_id}`);
  expect(form.json).toMatchObject({ name: 'Contact', webhook_secret: { configured: true } });
  const lead = await service.api('GET', `/workspaces/${workspaceId}/leads/${objects.submission_id}`);
  expect(lead.json).toMatchObject({ verdict: 'clean', mark: null });
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/members`);
  expect(json.items).toMatchObject([{ role: 'owner' }]);
});
