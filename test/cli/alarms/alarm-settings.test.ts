import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { alarmSettingsDraft } from '../../../src/contract/alarms/alarm-settings.ts';
import { alarmKinds } from '../../../src/domain/alarm/alarm.ts';
import { operatorOf } from '../../support/command-line/command-line.ts';
import { startStandInApi, workspaceId } from '../destinations/stand-in-api.ts';

const formId = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e13';
const tokenId = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e14';
const until = '2027-01-07T08:00:00.000Z';
const plain = {
  ...{ form_id: null, token_id: null, enabled: true, muted_until: null, sensitive: false, silent_days: null },
};
const sensitive = { ...plain, kind: 'silence', sensitive: true };
const ofForm = { ...plain, kind: 'silence', form_id: formId, silent_days: 3 };
const ofToken = { ...plain, kind: 'silence', form_id: formId, token_id: tokenId };
const defaults = {
  ...{ version: 4, email_owners: true, emails_available: true, time_zone: 'UTC', digest_hour: 8 },
  ...{ rules: [] as object[], updated_at: null, updated_by: null },
};

let api: Awaited<ReturnType<typeof startStandInApi>>;
let operator: ReturnType<typeof operatorOf>;
let stored = defaults;
let isChangedMeanwhile = false;
const run = (...words: string[]) => operator(['alarm', ...words]);

beforeAll(async () => {
  const place = `/workspaces/${workspaceId}`;
  api = await startStandInApi(({ method, path, body }) => {
    if (path === `${place}/forms`)
      return { body: { items: [{ id: formId, slug: 'contact', name: 'Contact' }], next_cursor: null } };
    if (path !== `${place}/alarm-settings`) return null;
    if (method === 'GET') return { body: stored };
    const conflict = { title: 'Someone else changed it.', detail: 'Read it again.' };
    return isChangedMeanwhile ? { status: 409, body: conflict } : { body: { ...stored, ...body } };
  });
  operator = operatorOf(api);
});
afterAll(() => api.stop());
beforeEach(() => {
  api.asked.length = 0;
  stored = defaults;
  isChangedMeanwhile = false;
});

/** What was saved, which the contract accepts. */
function saved() {
  const { body } = api.asked.find(({ method }) => method === 'PUT') ?? {};
  expect(alarmSettingsDraft.safeParse(body)).toMatchObject({ success: true });
  return body;
}

test('settings are shown with what is muted, turned off and about which form', async () => {
  stored = {
    ...defaults,
    rules: [ofForm, { ...plain, kind: 'spam_surge', enabled: false, muted_until: until }],
  };
  const { code, stdout } = await run('settings');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Emails +on$/m);
  expect(stdout).toMatch(/^Digest +at 8:00$/m);
  expect(stdout).toMatch(/^silence +contact: after 3 days without a lead$/m);
  expect(stdout).toMatch(/^spam_surge +off, muted until 2027-01-07T08:00:00.000Z$/m);
  expect((await run('settings', '--json')).json).toEqual(stored);
  stored = { ...defaults, emails_available: false };
  expect((await run('settings')).stdout).toMatch(/^Emails +off: the service has no mail server$/m);
});

test('a change of one setting keeps the others, and names the version that it is based on', async () => {
  stored = { ...defaults, rules: [ofForm], digest_hour: 6 };
  expect((await run('set', '--email', 'off', '--time-zone', 'Europe/Berlin')).code).toBe(0);
  expect(saved()).toEqual({
    ...{ email_owners: false, time_zone: 'Europe/Berlin', digest_hour: 6, rules: [ofForm] },
    expected_version: 4,
  });
});

test('settings that someone else changes meanwhile are not overwritten', async () => {
  isChangedMeanwhile = true;
  const result = await run('set', '--digest-hour', '7');
  expect(result).toMatchObject({ code: 6, stdout: '' });
  expect(result.stderr).toContain('Someone else changed it.');
});

test('a command that leaves out what to change, for which alarms or for how long changes nothing', async () => {
  for (const words of [
    ['set'],
    ['set', '--digest-hour', '24'],
    ['set', '--email', 'maybe'],
    ['mute', '--until', until],
    ['mute', '--kind', 'silence'],
    ['mute', '--kind', 'silence', '--until', until, '--for', '2h'],
    ['mute', '--kind', 'silence', '--for', 'ever'],
    ['unmute'],
    ['disable', '--all', '--kind', 'silence'],
    ['enable', '--kind', 'boredom'],
    ['silence'],
    ['silence', '--days', '91'],
  ])
    expect(await run(...words), words.join(' ')).toMatchObject({ code: 2, stdout: '' });
  expect(api.asked.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('a mute of one form starts as the rule that applied to it so far, and leaves the other forms', async () => {
  stored = { ...defaults, rules: [sensitive] };
  await run('mute', '--kind', 'silence', '--form', 'contact', '--until', until);
  expect(saved().rules).toEqual([sensitive, { ...sensitive, form_id: formId, muted_until: until }]);
});

test('a mute of a kind includes the forms and tokens that have a rule', async () => {
  const other = { ...plain, kind: 'spam_surge', form_id: formId };
  stored = { ...defaults, rules: [ofForm, ofToken, other] };
  await run('mute', '--kind', 'silence', '--until', until);
  expect(saved().rules).toEqual([
    { ...ofForm, muted_until: until },
    { ...ofToken, muted_until: until },
    other,
    { ...plain, kind: 'silence', muted_until: until },
  ]);
});

test('a mute for a duration ends that much later, of every kind', async () => {
  const beforeMs = Date.now();
  await run('mute', '--all', '--for', '2h');
  const { rules } = saved();
  expect(rules.map(({ kind }: { kind: string }) => kind)).toEqual([...alarmKinds]);
  const endsMs = Date.parse(rules[0].muted_until);
  expect(endsMs).toBeGreaterThanOrEqual(beforeMs + 7_200_000 - 10_000);
  expect(endsMs).toBeLessThanOrEqual(Date.now() + 7_200_000 + 10_000);
});

test('the end of a mute keeps what else a rule says, and leaves no empty rule', async () => {
  const muted = { muted_until: until };
  const rules = [
    { ...sensitive, ...muted },
    { ...plain, ...muted, kind: 'spam_surge' },
  ];
  stored = { ...defaults, rules };
  await run('unmute', '--all');
  expect(saved().rules).toEqual([sensitive]);
});

test('a kind that is turned off can be turned on for one form', async () => {
  await run('disable', '--kind', 'silence', 'spam_surge');
  const off = ['silence', 'spam_surge'].map((kind) => ({ ...plain, kind, enabled: false }));
  expect(saved().rules).toEqual(off);
  api.asked.length = 0;
  stored = { ...defaults, rules: off };
  await run('enable', '--kind', 'silence', '--form', 'contact');
  expect(saved().rules).toEqual([...off, { ...plain, kind: 'silence', form_id: formId }]);
});

test('an owner chooses after how many days silence is an alarm, and ends that', async () => {
  await run('silence', '--form', 'contact', '--days', '3', '--sensitive', 'on');
  expect(saved().rules).toEqual([{ ...ofForm, sensitive: true }]);
  api.asked.length = 0;
  stored = { ...defaults, rules: [ofForm] };
  await run('silence', '--form', 'contact', '--days', 'none');
  expect(saved().rules).toEqual([{ ...ofForm, silent_days: null }]);
});
