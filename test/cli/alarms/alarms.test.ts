import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operatorOf } from '../../support/command-line/command-line.ts';
import { startStandInApi, workspaceId } from '../destinations/stand-in-api.ts';

const alarmId = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e11';
const otherId = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e12';
const formId = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e13';
const at = '2026-11-17T08:00:00.000Z';

const alarm = {
  ...{ id: alarmId, kind: 'after_change', severity: 'high', form_id: formId, token_id: null },
  ...{ destination_id: null, reason: 'signature_mismatch', opened_at: at, last_at: at },
  ...{ closed_at: null, closed_as: null, acknowledged_at: null, acknowledged_by: null, muted_until: null },
  title: 'Contact \x1b[2J rejects everything',
  facts: [{ label: 'Change', value: 'Ada rotated the secret\nState       closed' }],
  path: `/w/${workspaceId}/alarms/${alarmId}`,
  evidence: { rejected: 7 },
};
const told = { what: 'opened', at, state: 'told', email_state: 'sent', emails_sent: 2 };
const listed = [
  alarm,
  { ...alarm, id: otherId, severity: 'low', closed_at: at, closed_as: 'recovered' },
  { ...alarm, acknowledged_at: at, acknowledged_by: 'Ada' },
  { ...alarm, muted_until: '2999-01-01T00:00:00.000Z' },
  { ...alarm, muted_until: at },
];
const ofInstance = { ...alarm, kind: 'spool_waiting', title: 'Leads wait in a spool' };
const rhythmOf = (changes: object) => ({
  ...{ form_id: formId, time_zone: 'Europe/Berlin', state: 'watched', notice_hours: 18.7, silent_days: null },
  ...{ sensitive: false, weeks: 8, leads_per_week: 301.4, last_accepted_at: at, expected: null },
  ...{ computed_at: at, ...changes },
});

let api: Awaited<ReturnType<typeof startStandInApi>>;
let operator: ReturnType<typeof operatorOf>;
let rhythm: object = rhythmOf({});
const run = (...words: string[]) => operator(['alarm', ...words]);
const place = `/workspaces/${workspaceId}`;
const page = (items: readonly object[]) => ({ body: { items, next_cursor: null } });

beforeAll(async () => {
  api = await startStandInApi(({ method, path }) => {
    if (method === 'POST' && path.endsWith('/acknowledgement')) return { status: 204, body: null };
    if (path === `${place}/forms`) return page([{ id: formId, slug: 'contact', name: 'Contact' }]);
    if (path === `${place}/alarms`) return page(listed);
    if (path === '/operator/alarms') return page([ofInstance]);
    if (path === `${place}/alarms/${alarmId}`) return { body: { ...alarm, notices: [told] } };
    if (path === `${place}/forms/${formId}/rhythm`) return { body: rhythm };
    return null;
  });
  operator = operatorOf(api);
});
afterAll(() => api.stop());
beforeEach(() => {
  api.asked.length = 0;
});

const queryOf = (path: string) => api.asked.find((asked) => asked.path === path)?.query;
const acknowledged = () => api.asked.filter(({ method }) => method === 'POST').map(({ path }) => path);

test('alarms are listed with their state, in which a mute that is over does not count, filtered by the service, and without control characters', async () => {
  const found = await run('list', '--state', 'open', '--kind', 'after_change', '--form', 'contact');
  expect(found).toMatchObject({ code: 0, stderr: '' });
  const [head, ...rows] = found.stdout.trimEnd().split('\n');
  expect(head).toMatch(/^OPENED +SEVERITY +STATE +KIND +ID +TITLE$/);
  expect(rows.map((row) => row.split(/ +/)[2])).toEqual([
    'open',
    'recovered',
    'acknowledged',
    'muted',
    'open',
  ]);
  expect(found.stdout).not.toContain('\x1b');
  expect(queryOf(`${place}/alarms`)).toEqual({
    ...{ state: 'open', kind: 'after_change', form_id: formId, limit: '50' },
  });
  expect((await run('list', '--json')).json).toEqual(listed);
});

test('a kind, a state or an ID that does not exist is refused before anything is asked', async () => {
  for (const words of [
    ['list', '--kind', 'boredom'],
    ['list', '--state', 'old'],
    ['show', '../forms'],
    ['acknowledge', alarmId, 'all'],
    ['acknowledge'],
  ])
    expect(await run(...words)).toMatchObject({ code: 2, stdout: '' });
  expect(api.asked).toEqual([]);
});

test('an alarm is shown with its evidence, its page and who was told, and no fact looks like another line', async () => {
  const { code, stdout } = await run('show', alarmId);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^State +open$/m);
  expect(stdout).not.toMatch(/^State +closed$/m);
  expect(stdout).toMatch(/^Change +Ada rotated the secret$/m);
  expect(stdout).toContain(`${api.url}/w/${workspaceId}/alarms/${alarmId}\n`);
  expect(stdout).toMatch(/^Told +2026-11-17T08:00:00.000Z opened: told, emails sent \(2\)$/m);
  expect((await run('show', alarmId, '--json')).json.evidence).toEqual({ rejected: 7 });
  expect(await run('show', otherId)).toMatchObject({ code: 5, stdout: '' });
});

test('several alarms are acknowledged with one command', async () => {
  const done = await run('acknowledge', alarmId, otherId.toUpperCase());
  expect(done).toMatchObject({ code: 0, stdout: 'Acknowledged 2 alarms.\n' });
  expect(acknowledged()).toEqual([
    `${place}/alarms/${alarmId}/acknowledgement`,
    `${place}/alarms/${otherId}/acknowledgement`,
  ]);
});

test('operators list and acknowledge the alarms of the instance, which belong to no workspace', async () => {
  const found = await run('list', '--operator', '--state', 'open');
  expect(found.stdout).toMatch(/ high +open +spool_waiting .+ Leads wait in a spool\n$/);
  expect(queryOf('/operator/alarms')).toEqual({ state: 'open', limit: '50' });
  expect((await run('acknowledge', '--operator', alarmId)).stdout).toBe('Acknowledged 1 alarm.\n');
  expect(acknowledged()).toEqual([`/operator/alarms/${alarmId}/acknowledgement`]);
  expect(api.asked.map(({ path }) => path)).not.toContain('/workspaces');
  const both = await run('list', '--operator', '--form', 'contact', '--kind', 'silence');
  expect(both).toMatchObject({ code: 2, stdout: '' });
  expect(both.stderr).toContain('--operator cannot be combined with');
});

test.each([
  [{}, 'would notice after about 19 hours without a lead'],
  [{ notice_hours: 155 }, 'would notice after about 6 days without a lead'],
  [{ notice_hours: 0.6 }, 'would notice after about 1 hour without a lead'],
  [{ state: 'too_few', notice_hours: null, silent_days: 3 }, 'would notice after 3 days without a lead'],
  [{ state: 'too_few', notice_hours: null }, 'would not notice: there are fewer than five leads a week'],
  [{ state: 'learning', notice_hours: null }, 'would not notice yet: there are less than two weeks of leads'],
  [
    { state: 'off', notice_hours: null, silent_days: 3 },
    'would not notice: turned off in the alarm settings',
  ],
])('of a form with %j the rhythm says: %s', async (changes, text) => {
  rhythm = rhythmOf(changes);
  const { code, stdout } = await run('rhythm', 'contact');
  expect(code).toBe(0);
  expect(stdout.split('\n')[1]).toBe(`Silence      ${text}`);
  expect((await run('rhythm', 'contact', '--json')).json).toEqual(rhythm);
});
