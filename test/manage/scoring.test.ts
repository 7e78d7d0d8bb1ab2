import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rules } from '../../src/domain/score/rules.ts';
import { createSender, post, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createForm, createWorkspace } from './leads/seed.ts';

let service: TestService;
let at: string;

beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  const workspaceId = await createWorkspace(service);
  const fields = [{ key: 'email', required: true }, { key: 'fax' }];
  const form = await createForm(service, workspaceId, { name: 'Contact', fields });
  at = `/workspaces/${workspaceId}/forms/${form.id}/scoring`;
});
afterAll(() => service.stop());

const defaults = {
  preset: 'b2b',
  thresholds: { suspect: 30, spam: 70 },
  weights: {},
  families: {},
  disabled: [],
  honeypot: [],
  timing: null,
  expect: { countries: [], titles: [] },
  allow: { emails: [], domains: [] },
  block: { emails: [], domains: [], keywords: [] },
  field_map: {},
  learning: { enabled: true },
};

const everything = {
  preset: 'event',
  thresholds: { suspect: 20, spam: 60 },
  weights: { EMAIL_INVALID: -5 },
  families: { email: { cap: 20, scale: 0.5 }, content: { cap: 0 } },
  disabled: ['FIELD_MISSING'],
  honeypot: ['website2', 'fax'],
  timing: { rendered_at_field: '_t', min_ms: 1500 },
  expect: { countries: ['DE', 'AT'], titles: ['Head of sales'] },
  allow: { emails: ['ada@example.com'], domains: ['example.org'] },
  block: {
    emails: ['eve@example.com'],
    domains: ['spam.example'],
    keywords: [{ text: 'back*link', points: 20 }],
  },
  field_map: { contact: 'email' },
  learning: { enabled: false },
};

function put(settings: object, expected_version?: number) {
  return service.api('PUT', at, {
    settings,
    ...(expected_version === undefined ? {} : { expected_version }),
  });
}

test('a form has the default settings until someone changes them', async () => {
  const { status, json } = await service.api('GET', at);
  expect(status).toBe(200);
  expect(json).toEqual({ version: 0, settings: defaults, updated_at: null, updated_by: null });
});

test('settings are read back as they were set, under a new version', async () => {
  const saved = await put(everything);
  expect(saved.status, saved.text).toBe(200);
  expect(saved.json).toMatchObject({ version: 1, settings: everything, updated_by: 'operator' });
  expect((await service.api('GET', at)).json).toEqual(saved.json);
});

test('settings are replaced as a whole: what is left out gets its default', async () => {
  await put(everything);
  const { json } = await put({ preset: 'support' });
  expect(json).toMatchObject({ version: 2, settings: { ...defaults, preset: 'support' } });
});

test('every version stays readable, newest first and in pages', async () => {
  for (const spam of [60, 70, 80]) await put({ thresholds: { suspect: 10, spam } });
  const first = (await service.api('GET', `${at}/versions?limit=2`)).json;
  const second = (await service.api('GET', `${at}/versions?limit=2&cursor=${first.next_cursor}`)).json;
  const seen = [...first.items, ...second.items];
  expect(seen.map(({ version, settings }) => [version, settings.thresholds.spam])).toEqual([
    [3, 80],
    [2, 70],
    [1, 60],
  ]);
  expect(second.next_cursor).toBeNull();
  expect(seen[0]).toMatchObject({ created_by: 'operator', created_at: expect.stringMatching(/Z$/) });
  const only = await service.api('GET', `${at}/versions?version=2`);
  expect(only.json.items.map(({ version }: { version: number }) => version)).toEqual([2]);
});

test.each(['x', 'MS4w', 'LTE', Buffer.from('99999999999').toString('base64url')])(
  'the cursor %s is refused on the list of versions',
  async (cursor) => {
    const { status, json } = await service.api('GET', `${at}/versions?cursor=${cursor}`);
    expect([status, json.code]).toEqual([422, 'invalid_cursor']);
  },
);

test('a call that expects an older version saves nothing and says what to do', async () => {
  await put({});
  const { status, json } = await put({ preset: 'b2c' }, 0);
  expect([status, json.code]).toEqual([409, 'version_conflict']);
  expect(json.detail).toMatch(/version 1, not 0.*expected_version 1/);
  expect((await service.api('GET', at)).json).toMatchObject({ version: 1, settings: { preset: 'b2b' } });
  expect((await put({ preset: 'b2c' }, 1)).json.version).toBe(2);
});

test('when many expect the same version at the same time, one saves', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => put({ thresholds: { suspect: n + 1, spam: 50 } }, 0)),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, ...Array(7).fill(409)]);
  const winner = answers.find(({ status }) => status === 200);
  expect((await service.api('GET', at)).json).toEqual(winner?.json);
  expect((await service.api('GET', `${at}/versions`)).json.items).toHaveLength(1);
});

test('calls without an expected version all save, each as a new version', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => put({})));
  expect(answers.map(({ json }) => json.version).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('addresses, domains, countries and keywords are kept in one spelling, each once', async () => {
  const { json } = await put({
    expect: { countries: ['de', 'UK', 'DE'] },
    allow: {
      emails: [' Ada@Bücher.Example ', 'ada@bücher.example'],
      domains: ['@Example.COM', 'example.com.'],
    },
    block: { domains: ['Bücher.example'], keywords: [{ text: ' **SEO**rank ', points: 5 }] },
  });
  expect(json.settings).toMatchObject({
    expect: { countries: ['DE', 'GB'] },
    allow: { emails: ['ada@xn--bcher-kva.example'], domains: ['example.com'] },
    block: { domains: ['xn--bcher-kva.example'], keywords: [{ text: '*SEO*rank', points: 5 }] },
  });
});

const many = (count: number, entry: (n: number) => unknown) =>
  Array.from({ length: count }, (_, n) => entry(n));

test.each<[object, string, string | RegExp]>([
  [{ preset: 'b2x' }, 'preset', 'use one of b2b, b2c, event, support'],
  [{ threshold: 3 }, 'threshold', /^unknown field; known fields: preset, thresholds/],
  [{ thresholds: { suspect: 70, spam: 70 } }, 'thresholds.suspect', 'must be less than spam'],
  [{ thresholds: { suspect: 0, spam: 70 } }, 'thresholds.suspect', 'must be at least 1'],
  [{ thresholds: { suspect: 10 } }, 'thresholds.spam', 'is required'],
  [{ thresholds: { suspect: 10, spam: 20.5 } }, 'thresholds.spam', 'must be a whole number'],
  [
    { weights: { EMAIL_DISPOSABEL: 1 } },
    'weights.EMAIL_DISPOSABEL',
    /unknown rule; did you mean EMAIL_DISPOSABLE\?/,
  ],
  [{ weights: { zzz: 1 } }, 'weights.zzz', /unknown rule; GET …\/scoring\/rules lists the rules/],
  [{ weights: { EMAIL_INVALID: 101 } }, 'weights.EMAIL_INVALID', 'must be at most 100'],
  [{ weights: { EMAIL_INVALID: -101 } }, 'weights.EMAIL_INVALID', 'must be at least -100'],
  [{ weights: { EMAIL_INVALID: '5' } }, 'weights.EMAIL_INVALID', 'must be a number'],
  [{ families: { mail: { cap: 3 } } }, 'families.mail', /^unknown field; known fields: email, identity/],
  [{ families: { email: { cap: 101 } } }, 'families.email.cap', 'must be at most 100'],
  [{ families: { email: { scale: 2.1 } } }, 'families.email.scale', 'must be at most 2'],
  [{ families: { email: { scale: -1 } } }, 'families.email.scale', 'must be at least 0'],
  [{ disabled: ['email_invalid'] }, 'disabled[0]', /did you mean EMAIL_INVALID\?/],
  [{ honeypot: [''] }, 'honeypot[0]', 'must not be empty'],
  [{ honeypot: ['email'] }, 'honeypot[0]', /is a required field of this form/],
  [{ honeypot: ['mail'], field_map: { mail: 'email' } }, 'honeypot[0]', /is in field_map/],
  [{ honeypot: many(21, (n) => `h${n}`) }, 'honeypot', 'must have at most 20 entries'],
  [{ timing: { rendered_at_field: '_t' } }, 'timing.min_ms', 'is required'],
  [{ expect: { countries: ['Germany'] } }, 'expect.countries[0]', /country code/],
  [{ expect: { countries: ['XX'] } }, 'expect.countries[0]', /country code/],
  [{ allow: { emails: ['ada'] } }, 'allow.emails[0]', /ada@example\.com/],
  [{ allow: { domains: ['*.example.com'] } }, 'allow.domains[0]', /only a domain/],
  [{ block: { domains: ['http://example.com'] } }, 'block.domains[0]', /only a domain/],
  [{ block: { domains: ['10.0.0.1'] } }, 'block.domains[0]', /only a domain/],
  [{ block: { domains: ['com'] } }, 'block.domains[0]', /only a domain/],
  [
    { block: { domains: many(1001, (n) => `x${n}.example`) } },
    'block.domains',
    'must have at most 1000 entries',
  ],
  [
    { allow: { domains: ['x.org'] }, block: { domains: ['X.org'] } },
    'block.domains[0]',
    'is also on the allow list',
  ],
  [{ block: { keywords: [{ text: '***', points: 1 }] } }, 'block.keywords[0].text', /besides \*/],
  [
    { block: { keywords: [{ text: 'a*b*c*d*e*f', points: 1 }] } },
    'block.keywords[0].text',
    /at most 4 stars/,
  ],
  [
    { block: { keywords: [{ text: 'seo', points: 101 }] } },
    'block.keywords[0].points',
    'must be at most 100',
  ],
  [
    { block: { keywords: [{ text: 'seo', points: 1, regex: true }] } },
    'block.keywords[0].regex',
    /unknown field/,
  ],
  [
    {
      block: {
        keywords: [
          { text: 'seo', points: 1 },
          { text: 'SEO', points: 2 },
        ],
      },
    },
    'block.keywords[1].text',
    'occurs twice',
  ],
  [{ field_map: { mail: 'e-mail' } }, 'field_map.mail', /^use one of email, /],
])('the settings %j are refused, and the response names the error', async (settings, field, message) => {
  for (const [method, path] of [
    ['PUT', at],
    ['POST', `${at}/dry-run`],
  ] as const) {
    const { status, json, text } = await service.api(method, path, { settings });
    expect(status, text).toBe(422);
    expect(json.errors).toContainEqual({
      field: `settings.${field}`,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  }
  expect((await service.api('GET', at)).json.version).toBe(0);
});

test.each(['0', 'x', '99999999999'])('no version can be called %s', async (version) => {
  const { status, json } = await service.api('GET', `${at}/versions?version=${version}`);
  expect([status, json.errors[0].field]).toEqual([422, 'version']);
});

test('a body without settings, or with an unknown member, is refused', async () => {
  expect((await service.api('PUT', at, {})).json.errors).toEqual([
    { field: 'settings', message: 'is required' },
  ]);
  const flat = await service.api('PUT', at, { settings: {}, preset: 'b2b' });
  expect(flat.json.errors).toMatchObject([{ field: 'preset' }]);
  expect((await put({}, -1)).status).toBe(422);
});

test('the next lead is scored with the new settings and names their version', async () => {
  const sender = await createSender(service);
  const own = `/workspaces/${sender.workspaceId}`;
  const body = '{"email":"someone@mailinator.com"}';
  const scoring = `${own}/forms/${sender.formId}/scoring`;
  const next = async () => {
    const id = submissionIdOf(await post(service, sender, 'server', body));
    return (await service.api('GET', `${own}/leads/${id}`)).json;
  };
  expect(await next()).toMatchObject({ verdict: 'suspect', ruleset: expect.not.stringContaining('+form.') });
  await service.api('PUT', scoring, { settings: { disabled: ['EMAIL_DISPOSABLE'] } });
  expect(await next()).toMatchObject({ verdict: 'clean', ruleset: expect.stringMatching(/\+form\.1$/) });
  await service.api('PUT', scoring, { settings: {} });
  expect(await next()).toMatchObject({ verdict: 'suspect', ruleset: expect.stringMatching(/\+form\.2$/) });
});

test('other changes to a form do not change its settings', async () => {
  await put({ preset: 'b2c' });
  await service.api('PATCH', at.replace(/\/scoring$/, ''), { name: 'Renamed' });
  expect((await service.api('GET', at)).json).toMatchObject({ version: 1, settings: { preset: 'b2c' } });
});

test("the rules are listed with their points under the form's settings", async () => {
  await put({
    weights: { EMAIL_INVALID: 10 },
    disabled: ['LEAD_EMPTY'],
    families: { email: { scale: 0.5 } },
  });
  const { status, json } = await service.api('GET', `${at}/rules`);
  expect(status).toBe(200);
  const rule = (wanted: string) => json.items.find(({ code }: { code: string }) => code === wanted);
  const own = new Map(rules.map(({ code, points }) => [code, points]));
  expect(rule('EMAIL_INVALID')).toMatchObject({ points: own.get('EMAIL_INVALID'), effective_points: 5 });
  expect(rule('LEAD_EMPTY')).toMatchObject({ effective_points: 0, disabled: true });
  expect(rule('EMAIL_DISPOSABLE')).toMatchObject({ family: 'email', axis: 'risk', disabled: false });
  expect(rule('EMAIL_DISPOSABLE').description).toBe('Email domain listed as disposable');
  for (const { description } of json.items) expect(description).not.toMatch(/…|[{}"]/);
});
