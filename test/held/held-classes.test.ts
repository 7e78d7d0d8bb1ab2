import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HeldClass, heldClasses } from '../../src/domain/held/held-class.ts';
import { submissionsPerDayMax, submissionsPerMinuteMax } from '../../src/domain/rate-window.ts';
import { rejectionReasons } from '../../src/domain/rejection.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { mintToken } from '../../src/domain/token.ts';
import { dayMs, minuteMs } from '../../src/time/clock.ts';
import { pageReasons } from '../browser/page-reasons.ts';
import { ManualClock } from '../support/clocks.ts';
import {
  createSender,
  expectRejected,
  type PostOptions,
  post,
  type Sender,
  someLead,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { useUp } from '../support/used-limits.ts';
import { type HeldRow, HeldWorld, opened } from './held-world.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let world: HeldWorld;

type Change = (sender: Sender) => Promise<Partial<Sender> | undefined>;

interface Case {
  readonly reason: string;
  readonly surface: Surface;
  /** Null: never kept. */
  readonly class: HeldClass | null;
  readonly what?: string;
  readonly change?: Change;
  readonly body?: string;
  readonly options?: PostOptions;
}

const api = (method: string, pathOf: (sender: Sender) => string, body?: object): Change => {
  return async (sender) => {
    const { status, text } = await service.api(method, pathOf(sender), body);
    if (status >= 300) throw new Error(text);
    return undefined;
  };
};
const workspace = ({ workspaceId }: Sender) => `/workspaces/${workspaceId}`;
const form = (sender: Sender) => `${workspace(sender)}/forms/${sender.formId}`;
const token = (sender: Sender) => `${workspace(sender)}/tokens/${sender.tokenId}`;
const suspend = api('PATCH', workspace, { status: 'suspended' });
const switchOff = api('PATCH', form, { active: false });
const limited =
  (surface: Surface, used: { minute: number; day?: number }): Change =>
  async (sender) => {
    await useUp(service, sender, surface, used);
    return undefined;
  };
const otherToken =
  (members: () => object, after: (sender: Sender, id: string) => Promise<unknown> = async () => {}): Change =>
  async (sender) => {
    const body = { name: 'Other', form_id: sender.formId, ...members() };
    const { json } = await service.api('POST', `${workspace(sender)}/tokens`, body);
    await after(sender, json.id);
    return { token: json.token, tokenId: json.id };
  };
/** Of a token that has expired when everything is sent. */
const soon = () => ({ expires_at: new Date(clock.now() + minuteMs).toISOString() });
const stale = String(Date.parse('2026-11-14T08:00:00.000Z') / 1000);
const text = { headers: { 'Content-Type': 'text/plain' } };
const deep = `{"a":${'['.repeat(64)}${']'.repeat(64)}}`;

const both = (one: Omit<Case, 'surface'>): Case[] => [
  { ...one, surface: 'server' },
  { ...one, surface: 'webhook' },
];
const onServer = (one: Omit<Case, 'surface'>): Case => ({ ...one, surface: 'server' });
const onWebhook = (one: Omit<Case, 'surface'>): Case => ({ ...one, surface: 'webhook' });

const cases: Case[] = [
  ...(['server', 'webhook'] as const).flatMap((surface): Case[] => [
    {
      surface,
      reason: 'rate_limited_minute',
      class: 'A',
      change: limited(surface, { minute: submissionsPerMinuteMax }),
    },
    {
      surface,
      reason: 'rate_limited_day',
      class: 'A',
      change: limited(surface, { minute: 1, day: submissionsPerDayMax }),
    },
  ]),
  ...both({ reason: 'workspace_suspended', class: 'A', change: suspend }),
  ...both({ reason: 'form_inactive', class: 'A', change: switchOff }),
  onWebhook({ reason: 'timestamp_outside_window', class: 'A', options: { timestamp: stale } }),
  onServer({ reason: 'token_revoked', class: 'A', what: 'a token that expired', change: otherToken(soon) }),
  ...both({ reason: 'content_type_unsupported', class: 'B', options: text }),
  ...both({ reason: 'idempotency_key_malformed', class: 'B', options: { key: 'x'.repeat(256) } }),
  ...both({
    reason: 'content_type_unsupported',
    class: 'C',
    what: 'a body that is no lead',
    body: 'name=Ada',
    options: text,
  }),
  ...both({
    reason: 'form_inactive',
    class: 'C',
    what: 'a body that is no lead',
    change: switchOff,
    body: '[1]',
  }),
  ...both({ reason: 'body_not_json', class: 'C', body: '{"a":' }),
  ...both({ reason: 'body_not_json', class: 'C', what: 'a key', body: '{"a":', options: { key: 'a key' } }),
  ...both({ reason: 'body_not_object', class: 'C', body: '[1]' }),
  ...both({ reason: 'body_too_deep', class: 'C', body: deep }),
  onWebhook({ reason: 'signature_mismatch', class: 'D', options: { secret: 'wrong' } }),
  onWebhook({
    reason: 'secret_not_configured',
    class: 'D',
    change: api('DELETE', (sender) => `${form(sender)}/webhook-secret`),
  }),
  onWebhook({
    reason: 'timestamp_outside_window',
    class: 'D',
    what: 'a wrong signature',
    options: { secret: 'wrong', timestamp: stale },
  }),
  onWebhook({ reason: 'timestamp_missing', class: 'D', options: { without: ['X-SVC-Timestamp'] } }),
  onWebhook({ reason: 'timestamp_invalid', class: 'D', options: { timestamp: 'now' } }),
  onWebhook({ reason: 'signature_missing', class: 'D', options: { without: ['X-SVC-Signature'] } }),
  onWebhook({
    reason: 'signature_malformed',
    class: 'D',
    options: { headers: { 'X-SVC-Signature': 'abc' } },
  }),
  // Whoever sent these has proven nothing, or there is nothing to keep.
  onWebhook({
    reason: 'workspace_suspended',
    class: null,
    what: 'a wrong signature',
    change: suspend,
    options: { secret: 'wrong' },
  }),
  onWebhook({
    reason: 'form_inactive',
    class: null,
    what: 'a wrong signature',
    change: switchOff,
    options: { secret: 'wrong' },
  }),
  onWebhook({
    reason: 'form_inactive',
    class: null,
    what: 'no timestamp',
    change: switchOff,
    options: { without: ['X-SVC-Timestamp'] },
  }),
  onServer({ reason: 'token_revoked', class: null, what: 'a revoked token', change: api('DELETE', token) }),
  onServer({
    reason: 'token_revoked',
    class: null,
    what: 'a token that expired and was revoked',
    change: otherToken(soon, (sender, id) => service.api('DELETE', `${workspace(sender)}/tokens/${id}`)),
  }),
  onServer({
    reason: 'token_revoked',
    class: null,
    what: 'a token that was replaced',
    change: api('POST', (sender) => `${token(sender)}/rotation`, { grace_seconds: 0 }),
  }),
  onServer({
    reason: 'token_revoked',
    class: null,
    what: 'an expired browser token',
    change: otherToken(() => ({ type: 'browser', ...soon() })),
  }),
  onServer({
    reason: 'token_wrong_type',
    class: null,
    change: otherToken(() => ({ type: 'browser' })),
  }),
  onServer({ reason: 'token_unknown', class: null, change: async () => ({ token: mintToken('server') }) }),
  onServer({ reason: 'token_missing', class: null, options: { without: ['Authorization'] } }),
  onServer({ reason: 'token_malformed', class: null, change: async () => ({ token: 'ingt_srv_cut' }) }),
  onServer({ reason: 'form_unknown', class: null, change: api('DELETE', form) }),
  onWebhook({ reason: 'form_unknown', class: null, options: { path: '/api/v1/ingest/nobody-has-this' } }),
  onWebhook({
    reason: 'slug_ambiguous',
    class: null,
    change: async ({ slug }) => {
      const { workspaceId } = await createSender(service);
      const twin = { name: 'Twin', slug, allow_shared_slug: true };
      await service.api('POST', `/workspaces/${workspaceId}/forms`, twin);
      return undefined;
    },
  }),
  ...both({ reason: 'body_too_large', class: null, body: 'x'.repeat(131_073) }),
  ...both({ reason: 'method_not_allowed', class: null, options: { method: 'PUT' } }),
  ...both({
    reason: 'encoding_unsupported',
    class: null,
    options: { headers: { 'Content-Encoding': 'br' } },
  }),
];

const nameOf = ({ surface, reason, what }: Case) =>
  `${reason} on the ${surface} surface${what === undefined ? '' : ` (${what})`}`;
const found = new Map<string, { readonly sender: Sender; readonly rows: readonly HeldRow[] }>();

beforeAll(async () => {
  service = await startTestService({ clock });
  world = new HeldWorld(service);
  const senders = await Promise.all(
    cases.map(async (one) => {
      const sender = await createSender(service);
      return { one, sender: { ...sender, ...(await one.change?.(sender)) } };
    }),
  );
  clock.advance(minuteMs + 1);
  for (const { one, sender } of senders)
    if (one.reason === 'rate_limited_minute')
      await world.pool.query('update rate_windows set minute_started_at = $2 where workspace_id = $1', [
        sender.workspaceId,
        new Date(clock.now()),
      ]);
  await Promise.all(
    senders.map(async ({ one, sender }) =>
      expectRejected(await post(service, sender, one.surface, one.body ?? someLead, one.options)),
    ),
  );
  await world.written();
  for (const { one, sender } of senders) found.set(nameOf(one), { sender, rows: await world.rowsOf(sender) });
});
afterAll(async () => {
  await world.pool.end();
  await service.stop();
});

test('every reason is either kept with a class or never; web pages, known senders and reused keys have their own tests', () => {
  const elsewhere = [...pageReasons, 'sender_unsupported', 'idempotency_key_reused'];
  const covered = new Set([...cases.map(({ reason }) => reason), ...elsewhere]);
  expect(rejectionReasons.map(({ code }) => code).filter((code) => !covered.has(code))).toEqual([]);
  expect(new Set(cases.flatMap((one) => one.class ?? []))).toEqual(
    new Set(heldClasses).difference(new Set(['E'])),
  );
});

describe('a rejected request is kept with the class of its reason, or not at all', () => {
  test.each(cases.map((one) => [nameOf(one), one] as const))('%s', (name, one) => {
    const { sender, rows } = found.get(name) as { sender: Sender; rows: HeldRow[] };
    if (one.class === null) {
      expect(rows).toEqual([]);
      return;
    }
    const body = Buffer.from(one.body ?? someLead);
    const days = one.class === 'D' ? 3 : 14;
    expect(rows).toMatchObject([
      {
        form_id: sender.formId,
        token_id: one.surface === 'server' ? sender.tokenId : null,
        surface: one.surface,
        reason: one.reason,
        class: one.class,
        received_at: new Date(clock.now()),
        body_bytes: body.length,
        expires_at: new Date(clock.now() + days * dayMs),
      },
    ]);
    expect(opened(rows[0] as HeldRow).body?.equals(body)).toBe(true);
  });
});

test('a token that expired longer than 7 days ago proves nothing any more', async () => {
  const sender = await createSender(service);
  const expiring = { ...sender, ...(await otherToken(soon)(sender)) };
  clock.advance(minuteMs + 7 * dayMs);
  expectRejected(await post(service, expiring, 'server'));
  await world.waitFor(sender, 1);
  clock.advance(1);
  expectRejected(await post(service, expiring, 'server', '{"too":"late"}'));
  await world.written();
  expect(await world.rowsOf(sender)).toHaveLength(1);
});
