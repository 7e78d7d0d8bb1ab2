import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submissionsPerMinuteMax } from '../../src/domain/rate-window.ts';
import { rejectionReasons } from '../../src/domain/rejection.ts';
import { mintToken } from '../../src/domain/token.ts';
import { betweenFlushesMsMax } from '../../src/ingest/outcomes/flushed-tally.ts';
import { pageReasons } from '../browser/page-reasons.ts';
import { ManualClock } from '../support/clocks.ts';
import { openTestPool } from '../support/database/database.ts';
import { diagnosticsOf, eventually } from '../support/diagnostics.ts';
import {
  type Answer,
  createSender,
  type PostOptions,
  post,
  type Sender,
  someLead,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { useUp } from '../support/used-limits.ts';

// Stands still, so that the minute does not end before its limit is used up.
const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
const isoNow = () => new Date(clock.now()).toISOString();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service.stop());

type Provoke = (sender: Sender) => Promise<Answer>;

const server =
  (body: string, options: PostOptions = {}): Provoke =>
  (sender) =>
    post(service, sender, 'server', body, options);
const webhook =
  (options: PostOptions = {}): Provoke =>
  (sender) =>
    post(service, sender, 'webhook', someLead, options);

/** One way to provoke each reason that can be attributed to a workspace. */
const provocations: Record<string, Provoke> = {
  method_not_allowed: server(someLead, { method: 'PUT' }),
  body_too_large: server('x'.repeat(131_073)),
  encoding_unsupported: server(someLead, { headers: { 'Content-Encoding': 'br' } }),
  token_revoked: async (sender) => {
    await service.api('DELETE', `/workspaces/${sender.workspaceId}/tokens/${sender.tokenId}`);
    return post(service, sender, 'server');
  },
  token_wrong_type: async (sender) => {
    const body = { name: 'Browser', form_id: sender.formId, type: 'browser' };
    const { json } = await service.api('POST', `/workspaces/${sender.workspaceId}/tokens`, body);
    return post(service, { ...sender, token: json.token }, 'server');
  },
  form_unknown: async (sender) => {
    await service.api('DELETE', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`);
    return post(service, sender, 'server');
  },
  slug_ambiguous: async (sender) => {
    const other = await createSender(service);
    const body = { name: 'Twin', slug: sender.slug, allow_shared_slug: true };
    await service.api('POST', `/workspaces/${other.workspaceId}/forms`, body);
    return post(service, sender, 'webhook');
  },
  workspace_suspended: async (sender) => {
    await service.api('PATCH', `/workspaces/${sender.workspaceId}`, { status: 'suspended' });
    return post(service, sender, 'webhook');
  },
  form_inactive: async (sender) => {
    await service.api('PATCH', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`, { active: false });
    return post(service, sender, 'webhook');
  },
  secret_not_configured: async (sender) => {
    await service.api('DELETE', `/workspaces/${sender.workspaceId}/forms/${sender.formId}/webhook-secret`);
    return post(service, sender, 'webhook');
  },
  timestamp_missing: webhook({ without: ['X-SVC-Timestamp'] }),
  timestamp_invalid: webhook({ timestamp: 'now' }),
  timestamp_outside_window: webhook({ timestamp: '1700000000' }),
  signature_missing: webhook({ without: ['X-SVC-Signature'] }),
  signature_malformed: webhook({ headers: { 'X-SVC-Signature': 'abc' } }),
  signature_mismatch: webhook({ secret: 'wrong secret' }),
  content_type_unsupported: server(someLead, { headers: { 'Content-Type': 'text/plain' } }),
  idempotency_key_malformed: server(someLead, { key: '' }),
  body_not_json: server('{"a":'),
  body_not_object: server('[1]'),
  body_too_deep: server(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`),
  rate_limited_minute: async (sender) => {
    await useUp(service, sender, 'server', { minute: submissionsPerMinuteMax });
    return post(service, sender, 'server');
  },
};

/** Requests that name no workspace, so only operators see them. */
const unattributed: Record<string, Provoke> = {
  token_missing: server(someLead, { without: ['Authorization'] }),
  token_malformed: server(someLead, { headers: { Authorization: 'Bearer ingt_srv_cut-off' } }),
  token_unknown: server(someLead, { headers: { Authorization: `Bearer ${mintToken('server')}` } }),
  form_unknown: webhook({ path: '/api/v1/ingest/nobody-has-this' }),
};

test('outcomes are written often enough to be seen within 5 seconds', () => {
  expect(betweenFlushesMsMax).toBeLessThanOrEqual(3_000);
});

describe('the diagnostics of a workspace show the real reason of a rejection', () => {
  const provoked = new Map<string, { readonly sender: Sender; readonly answer: Answer }>();

  // All are provoked before the first is looked for, so that one flush covers them all.
  beforeAll(async () => {
    const provokeOne = async ([reason, provoke]: [string, Provoke]) => {
      const sender = await createSender(service);
      provoked.set(reason, { sender, answer: await provoke(sender) });
    };
    await Promise.all(Object.entries(provocations).map(provokeOne));
  });

  test.each(Object.keys(provocations))('%s', async (reason) => {
    const { sender, answer } = provoked.get(reason) as { sender: Sender; answer: Answer };
    expect(answer.status).toBe(200);
    const requestId = answer.headers['x-request-id'] as string;
    const found = await eventually(
      () => diagnosticsOf(service, sender, `?request_id=${requestId}`),
      ({ items }) => items.length > 0,
    );
    const category = rejectionReasons.find(({ code }) => code === reason)?.category;
    expect(found.items[0]).toMatchObject({ reason, category, request_id: requestId });
    const { by_reason, totals } = await diagnosticsOf(service, sender);
    expect(by_reason).toEqual([expect.objectContaining({ reason, category, count: 1 })]);
    expect(totals).toMatchObject(
      category === 'rate_limit' ? { rate_limited: 1, other: 0 } : { rate_limited: 0, other: 1 },
    );
  });
});

describe('a rejection that names no workspace is counted for operators', () => {
  const counts = async (): Promise<Record<string, number>> => {
    const { json } = await service.api('GET', '/operator/unattributed');
    const items: { reason: string; count: number }[] = json.items;
    return Object.fromEntries(items.map(({ reason, count }) => [reason, count]));
  };
  let before: Record<string, number>;

  beforeAll(async () => {
    before = await counts();
    const sender = await createSender(service);
    await Promise.all(Object.values(unattributed).map((provoke) => provoke(sender)));
  });

  test.each(Object.keys(unattributed))('%s', async (reason) => {
    const wanted = (before[reason] ?? 0) + 1;
    const found = await eventually(counts, (now) => (now[reason] ?? 0) >= wanted);
    expect(found[reason]).toBe(wanted);
  });
});

test('every reason in the table is provoked here, except those that have their own tests', () => {
  const elsewhere = [...pageReasons, 'rate_limited_day', 'sender_unsupported', 'idempotency_key_reused'];
  const provoked = new Set([...Object.keys(provocations), ...Object.keys(unattributed), ...elsewhere]);
  expect(rejectionReasons.map(({ code }) => code).filter((code) => !provoked.has(code))).toEqual([]);
});

test('every rejection of a workspace is an entry', async () => {
  const sender = await createSender(service);
  await Promise.all(
    Array.from({ length: 100 }, () => post(service, sender, 'webhook', someLead, { secret: 'wrong' })),
  );
  await Promise.all(Array.from({ length: 40 }, (_, n) => post(service, sender, 'webhook', `{"n":${n}}`)));
  const { totals, items, only_counted } = await eventually(
    () => diagnosticsOf(service, sender, '?limit=200'),
    ({ totals, items }) => totals.other >= 100 && totals.accepted >= 40 && items.length >= 100,
  );
  expect(totals).toEqual({ accepted: 40, rate_limited: 0, other: 100 });
  expect(items).toHaveLength(100);
  expect(only_counted).toBe(0);
});

test('diagnostics say how many rejections are only counted, under the same filters', async () => {
  const sender = await createSender(service);
  await post(service, sender, 'webhook', someLead, { secret: 'wrong' });
  await post(service, sender, 'server', 'no json');
  await post(service, sender, 'server', 'no json');
  await eventually(
    () => diagnosticsOf(service, sender),
    ({ items }) => items.length === 3,
  );
  const { items } = await diagnosticsOf(service, sender, '?reason=body_not_json');
  const pool = openTestPool(service.databaseUrl);
  await pool.query('delete from rejection_entries where id = $1', [items[0].id]);
  await pool.end();
  const onlyCounted = async (query: string) => (await diagnosticsOf(service, sender, query)).only_counted;
  expect(await onlyCounted('')).toBe(1);
  expect(await onlyCounted('?reason=body_not_json')).toBe(1);
  expect(await onlyCounted('?surface=webhook')).toBe(0);
  expect(await onlyCounted(`?request_id=${items[1].request_id}`)).toBe(0);
});

describe('an operator finds a rejection without a workspace by the ID in its response', () => {
  const found = async (requestId: string) =>
    (await service.api('GET', `/operator/unattributed?request_id=${requestId}`)).json;

  test.each(Object.entries(unattributed))('%s', async (reason, provoke) => {
    const answer = await provoke(await createSender(service));
    const requestId = answer.headers['x-request-id'] as string;
    const { total, items } = await eventually(
      () => found(requestId),
      ({ total }) => total > 0,
    );
    expect(total).toBe(1);
    expect(items).toEqual([expect.objectContaining({ reason, count: 1, last_at: isoNow() })]);
  });

  test('a request that belongs to a workspace is not found', async () => {
    const sender = await createSender(service);
    const answer = await post(service, sender, 'server', 'no json');
    await eventually(
      () => diagnosticsOf(service, sender),
      ({ items }) => items.length === 1,
    );
    expect(await found(answer.headers['x-request-id'] as string)).toEqual({ total: 0, items: [] });
  });
});

test('the rejection of a stale timestamp says whether the signature was valid', async () => {
  const sender = await createSender(service);
  await post(service, sender, 'webhook', someLead, { timestamp: '1700000000' });
  await post(service, sender, 'webhook', someLead, { timestamp: '1700000000', secret: 'wrong' });
  const { items } = await eventually(
    () => diagnosticsOf(service, sender),
    (answer) => answer.items.length === 2,
  );
  const validity = items.map(
    ({ detail }: { detail: { signature_valid: boolean } }) => detail.signature_valid,
  );
  expect(validity.toSorted()).toEqual([false, true]);
});

test('a rejection is not visible to another workspace', async () => {
  const [sender, other] = [await createSender(service), await createSender(service)];
  await post(service, sender, 'server', 'no json');
  await eventually(
    () => diagnosticsOf(service, sender),
    (answer) => answer.items.length === 1,
  );
  expect(await diagnosticsOf(service, other)).toMatchObject({
    items: [],
    totals: { accepted: 0, other: 0 },
  });
});
