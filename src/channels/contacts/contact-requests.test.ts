import { expect, test } from 'vitest';
import type { PostResult } from '../../net/delivery/delivery-http.ts';
import { hourMs, secondMs } from '../../time/clock.ts';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import { ContactRequests, type SentContact } from './contact-requests.ts';

const account = { url: 'https://api.example.com/', token: 'secret' };

function contacts(count: number): SentContact[] {
  return Array.from({ length: count }, (_, place) => ({
    place,
    contact: { id: `p${place}@example.com`, idProperty: 'email', properties: {} },
    delivery: { eventNumber: place, attempts: 0 },
  }));
}

interface Sent {
  readonly at: number;
  readonly ids: readonly string[];
}

/** Sends contacts to a HubSpot that takes a while for each response. */
async function sending(count: number, statusOf: (ids: readonly string[]) => number, tookMs = 0) {
  const clock = new SimulatedClock(0);
  const ending = new AbortController();
  const sent: Sent[] = [];
  const sender = {
    async post({ body }: { readonly body: Buffer }): Promise<PostResult> {
      const ids = JSON.parse(body.toString()).inputs.map(({ id }: { id: string }) => id);
      sent.push({ at: clock.monotonic(), ids });
      await new Promise<void>((resolve) => clock.deadline(tookMs, resolve));
      return { status: statusOf(ids), retryAfterMs: null, head: null, ms: tookMs };
    },
  };
  const requests = new ContactRequests(account, { sender, clock, signal: ending.signal });
  const done = requests.send(contacts(count));
  const results = () => contacts(count).map(({ place }) => requests.resultOf(place));
  return { clock, sent, done, ending, results };
}

test('a hundred bad contacts take at most two requests each, never more than five a second', async () => {
  const { clock, sent, done, results } = await sending(100, () => 400);
  await clock.advance(60 * secondMs);
  await done;
  expect(sent).toHaveLength(199);
  const gaps = sent.slice(1).map(({ at }, i) => at - (sent[i] as Sent).at);
  expect(Math.min(...gaps)).toBeGreaterThan(secondMs / 5);
  expect(results().every(({ isLeadRefused }) => isLeadRefused)).toBe(true);
});

test('one bad contact of a hundred takes a few requests, and no other is refused', async () => {
  const { clock, sent, done, results } = await sending(100, (ids) =>
    ids.includes('p63@example.com') ? 400 : 200,
  );
  await clock.advance(60 * secondMs);
  await done;
  expect(sent.length).toBeLessThanOrEqual(15);
  expect(results().map(({ meaning }) => meaning === 'delivered')).toEqual(
    contacts(100).map(({ place }) => place !== 63),
  );
});

test('a slow HubSpot ends the parcel, and what was not sent says nothing about its leads', async () => {
  const { clock, sent, done, results } = await sending(100, () => 400, 14 * secondMs);
  await clock.advance(hourMs);
  await done;
  expect(sent).toHaveLength(5);
  const last = results().at(-1);
  expect(last).toMatchObject({
    meaning: 'failed',
    isLeadRefused: false,
    status: null,
    errorClass: 'timeout',
  });
});

test('a failure ends the parcel, and what follows has the same', async () => {
  const { clock, sent, done, results } = await sending(4, (ids) => (ids.length > 2 ? 400 : 503));
  await clock.advance(60 * secondMs);
  await done;
  expect(sent.map(({ ids }) => ids.length)).toEqual([4, 2]);
  expect(results().map(({ meaning, status }) => [meaning, status])).toEqual([
    ['failed', 503],
    ['failed', 503],
    ['failed', null],
    ['failed', null],
  ]);
});

test('nothing more is sent once the service stops', async () => {
  const { clock, sent, done, ending, results } = await sending(8, () => 400);
  await clock.advance(100);
  ending.abort();
  await clock.advance(60 * secondMs);
  await done;
  expect(sent).toHaveLength(1);
  expect(results().every(({ meaning, status }) => meaning === 'failed' && status === null)).toBe(true);
});

test.each([423, 477])('%i is a request to wait, not a refusal', async (status) => {
  const { clock, done, results } = await sending(2, () => status);
  await clock.advance(secondMs);
  await done;
  expect(results()[0]).toMatchObject({ meaning: 'throttled', isLeadRefused: false });
});

test('410 is a failure of HubSpot, so it disables nothing', async () => {
  const { clock, done, results } = await sending(2, () => 410);
  await clock.advance(secondMs);
  await done;
  expect(results()[0]).toMatchObject({ meaning: 'failed', disables: null });
});
