import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { chatServices } from '../../../src/domain/destination/kind/kind-settings.ts';
import { until } from '../delivery-world.ts';
import { EmailWorld } from '../kinds/email-world.ts';
import { Receiver } from '../receiver.ts';
import { alarmData, someAlarm } from './some-alarms.ts';

let world: EmailWorld;
let receiver: Receiver;

beforeAll(async () => {
  world = await EmailWorld.create();
});
beforeEach(async () => {
  receiver = await new Receiver().start();
});
afterEach(async () => {
  await world.reset();
  await receiver.stop();
});
afterAll(() => world.close());

async function sent(destinationId: string, eventData: object, event = 'alarm.opened'): Promise<void> {
  const { deliveries } = world;
  const delivery = await deliveries.add(destinationId, { event, submissionId: null, eventData });
  await deliveries.reaches(delivery, { state: 'delivered', attempts: 1 });
}

function chat(service: string, linkOnly = false): Promise<string> {
  const config = { service, host: '127.0.0.1', linkOnly };
  return world.deliveries.destination({ kind: 'chat', config, secret: receiver.url });
}

test.each(chatServices)('%s gets an alarm once, with its severity and a link', async (service) => {
  const id = await chat(service);
  world.start();
  await sent(id, alarmData());
  expect(receiver.received).toHaveLength(1);
  const body = receiver.received[0]?.body.replaceAll('\\\\', '') ?? '';
  for (const text of ['Alarm: All leads for Contact are rejected', 'Severity', 'High', '1,412 in 30 minutes'])
    expect(body).toContain(text);
  expect(body).toContain(
    `https://leads.example/w/${world.deliveries.workspaceId}/tokens/diagnostics?form_id=1`,
  );
});

const hostileName =
  '<!channel> @everyone [x](https://evil.example) `*_~ <script>alert(1)</script> {{DATE()}}';

test.each([
  ['slack', /<!channel>|<script>/],
  ['mattermost', /(?:^|\n)[^`]*@everyone/],
  ['teams', /\{\{DATE/],
  ['discord', /(?<!\\\\)@everyone|(?<!\\\\)\]\(https:\/\/evil/],
] as const)('a form cannot be called so that %s takes its name for markup', async (service, markup) => {
  const id = await chat(service);
  world.start();
  const title = `All leads for ${hostileName} are rejected`;
  await sent(id, alarmData({ title, facts: [{ label: 'Form', value: hostileName }] }));
  const body = receiver.received[0]?.body ?? '';
  expect(body).toContain('everyone');
  const texts = service === 'mattermost' ? JSON.parse(body).text : body;
  expect(texts).not.toMatch(markup);
});

test('an email about an alarm has its facts, and nothing in it is markup', async () => {
  const id = await world.destination({ to: ['max@example.com'] });
  world.start();
  const title = `All leads for ${hostileName}\r\nBcc: x@example.com are rejected`;
  await sent(id, alarmData({ title, facts: [{ label: 'Form', value: hostileName }] }));
  const [email] = world.emails();
  expect(email?.header('subject')).toMatch(/^Alarm: All leads for <!channel>/);
  expect(email?.header('bcc')).toBeNull();
  expect(email?.header('reply-to')).toBeNull();
  expect(email?.text).toContain('Severity: High');
  expect(email?.text).toContain('Since: 2026-11-17 14:03 UTC');
  expect(email?.html).not.toContain('<script>');
  expect(email?.html).toContain('&lt;script&gt;');
});

test('a destination that sends only links gets the title and the link of an alarm', async () => {
  const id = await world.destination({ to: ['max@example.com'], config: { linkOnly: true } });
  world.start();
  await sent(id, alarmData());
  const [email] = world.emails();
  expect(email?.header('subject')).toBe('Alarm: All leads for Contact are rejected');
  expect(email?.text).toContain(
    `https://leads.example/w/${world.deliveries.workspaceId}/tokens/diagnostics?form_id=1`,
  );
  expect(email?.text).not.toContain('1,412');
});

test('reminders, ends and digests say what they are', async () => {
  const id = await world.destination({ to: ['max@example.com'], perSecond: 500 });
  world.start();
  await sent(id, alarmData(), 'alarm.reminder');
  await sent(id, alarmData({ closed_at: '2026-11-17T15:00:00.000Z' }), 'alarm.closed');
  const closed = someAlarm({ title: 'No leads for Contact', closed_at: '2026-11-17T15:00:00.000Z' });
  await sent(id, { alarms: [someAlarm(), closed], more: 1_000 }, 'alarm.digest');
  expect(world.subjects()).toEqual([
    'Reminder: All leads for Contact are rejected',
    'Over: All leads for Contact are rejected',
    'Sales: 1,002 alarms',
  ]);
  const [, over, digest] = world.emails();
  expect(over?.text).toContain('Until: 2026-11-17 15:00 UTC');
  expect(digest?.text).toContain('- All leads for Contact are rejected');
  expect(digest?.text).toContain('- Over: No leads for Contact');
  expect(digest?.text).toContain('and 1000 more');
  expect(digest?.text).toContain(
    `Open the alarms: https://leads.example/w/${world.deliveries.workspaceId}/alarms`,
  );
});

test('an alarm whose data says nothing is not tried again and again', async () => {
  const { deliveries } = world;
  const id = await world.destination({ to: ['max@example.com'] });
  world.start();
  const delivery = await deliveries.add(id, { event: 'alarm.opened', submissionId: null, eventData: {} });
  await deliveries.reaches(delivery, { state: 'skipped', attempts: 0 });
  await until(() => expect(world.emails()).toEqual([]));
});
