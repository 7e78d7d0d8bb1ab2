import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/cli/exit.ts';
import { LeadFeed, type ToldLead } from '../../src/cli/tail/lead-feed.ts';
import type { LeadListInput } from '../../src/contract/leads/lead.ts';

/** The list of leads as the service has it: newest first, in pages that begin behind the lead that a cursor names. */
class StoredLeads {
  #leads: ToldLead[] = [];
  #stored = 0;
  isSpooling = false;
  /** How many questions are still answered. */
  answers = Number.POSITIVE_INFINITY;
  pageItemsMax = 200;
  questions = 0;

  store(receivedMs: number): string {
    const number = String(++this.#stored).padStart(12, '0');
    const submission_id = `00000000-0000-4000-8000-${number}`;
    const received_at = new Date(receivedMs).toISOString();
    const rest = { form_id: 'form', surface: 'server', verdict: 'clean', grade: 'A', score: 90 } as const;
    this.#leads.push({ submission_id, received_at, ...rest });
    return submission_id;
  }

  async leads({ from, cursor, limit }: LeadListInput) {
    this.#answer();
    const key = (lead: ToldLead) => `${lead.received_at} ${lead.submission_id}`;
    const all = this.#leads
      .filter((lead) => from === undefined || lead.received_at >= String(from))
      .filter((lead) => cursor === undefined || cursor === null || key(lead) < String(cursor))
      .toSorted((a, b) => (key(a) < key(b) ? 1 : -1));
    const items = all.slice(0, Math.min(Number(limit), this.pageItemsMax));
    const last = items.at(-1);
    return { items, next_cursor: items.length < all.length && last ? key(last) : null };
  }

  async checkSpooling() {
    this.#answer();
    return this.isSpooling;
  }

  #answer() {
    this.questions++;
    if (this.answers-- <= 0) throw new CliError('unreachable', 'away');
  }
}

const startMs = Date.parse('2026-11-15T08:00:00Z');
const minuteMs = 60_000;

function feedOf(stored: StoredLeads): LeadFeed {
  return new LeadFeed({
    leads: (query) => stored.leads(query),
    isSpooling: () => stored.checkSpooling(),
  });
}

const idsOf = (leads: readonly ToldLead[]) => leads.map(({ submission_id }) => submission_id);

describe('each lead is shown once', () => {
  test('and none from before, unless the past is asked for', async () => {
    const stored = new StoredLeads();
    const ids = [0, 1, 2].map((minute) => stored.store(startMs + minute * minuteMs));
    expect(await feedOf(stored).begin(null)).toEqual([]);
    const feed = feedOf(stored);
    expect(idsOf(await feed.begin(startMs + minuteMs))).toEqual(ids.slice(1));
    expect(await feed.next(startMs)).toEqual([]);
  });

  test('even the very first lead', async () => {
    const stored = new StoredLeads();
    const feed = feedOf(stored);
    expect(await feed.begin(null)).toEqual([]);
    const id = stored.store(startMs);
    expect(idsOf(await feed.next(startMs))).toEqual([id]);
    expect(await feed.next(startMs + 1)).toEqual([]);
  });

  test('over pages, with equal times, while others arrive between two pages', async () => {
    const stored = new StoredLeads();
    stored.pageItemsMax = 7;
    const feed = feedOf(stored);
    await feed.begin(null);
    const ids = Array.from({ length: 50 }, () => stored.store(startMs));
    const told: string[] = [];
    for (let turn = 0; turn < 20; turn++) {
      ids.push(stored.store(startMs + turn));
      told.push(...idsOf(await feed.next(startMs + turn)));
    }
    expect(told.toSorted()).toEqual(ids.toSorted());
  });

  test('when it is committed a moment after a later one', async () => {
    const stored = new StoredLeads();
    const feed = feedOf(stored);
    await feed.begin(null);
    await feed.next(startMs);
    const later = stored.store(startMs + 1_000);
    expect(idsOf(await feed.next(startMs + 1_000))).toEqual([later]);
    const earlier = stored.store(startMs);
    expect(idsOf(await feed.next(startMs + 2_000))).toEqual([earlier]);
  });

  test('when a commit took a minute, with one of the longer queries', async () => {
    const stored = new StoredLeads();
    const feed = feedOf(stored);
    await feed.begin(null);
    stored.store(startMs + minuteMs);
    await feed.next(startMs + minuteMs);
    const slow = stored.store(startMs);
    const told = [];
    for (let second = 0; second <= 32; second += 2)
      told.push(...(await feed.next(startMs + minuteMs + second * 1_000)));
    expect(idsOf(told)).toEqual([slow]);
  });

  test('when it drains from the spool after hours of outage, with its real time', async () => {
    const stored = new StoredLeads();
    const feed = feedOf(stored);
    stored.store(startMs);
    await feed.begin(null);
    stored.answers = 0;
    await expect(feed.next(startMs + minuteMs)).rejects.toThrow('away');
    feed.noteTrouble(startMs + minuteMs);
    const backMs = startMs + 180 * minuteMs;
    stored.answers = Number.POSITIVE_INFINITY;
    stored.isSpooling = true;
    const fresh = stored.store(backMs);
    expect(idsOf(await feed.next(backMs))).toEqual([fresh]);
    const drained = [90, 30, 60].map((minute) => stored.store(startMs + minute * minuteMs));
    expect(idsOf(await feed.next(backMs + minuteMs)).toSorted()).toEqual(drained.toSorted());
    stored.isSpooling = false;
    const last = stored.store(startMs + 45 * minuteMs);
    expect(idsOf(await feed.next(backMs + 2 * minuteMs))).toEqual([last]);
    expect(await feed.next(backMs + 3 * minuteMs)).toEqual([]);
  });

  test('when a page fails: the whole query is repeated', async () => {
    const stored = new StoredLeads();
    stored.pageItemsMax = 3;
    const feed = feedOf(stored);
    await feed.begin(null);
    await feed.next(startMs);
    const ids = Array.from({ length: 10 }, (_, place) => stored.store(startMs + place));
    stored.answers = 2;
    await expect(feed.next(startMs + 1_000)).rejects.toThrow('away');
    feed.noteTrouble(startMs + 1_000);
    stored.answers = Number.POSITIVE_INFINITY;
    expect(idsOf(await feed.next(startMs + 2_000))).toEqual(ids);
  });

  test('after one from a clock that was an hour ahead', async () => {
    const stored = new StoredLeads();
    const feed = feedOf(stored);
    await feed.begin(null);
    const ahead = stored.store(startMs + 60 * minuteMs);
    const told = idsOf(await feed.next(startMs));
    const ids = [ahead];
    for (let second = 0; second < 60; second += 2) {
      ids.push(stored.store(startMs + second * 1_000));
      told.push(...idsOf(await feed.next(startMs + second * 1_000)));
    }
    told.push(...idsOf(await feed.next(startMs + 61_000, true)));
    expect(told.toSorted()).toEqual(ids.toSorted());
  });
});

test('a quiet workspace with many leads needs few pages', async () => {
  const stored = new StoredLeads();
  for (let minute = 0; minute < 5_000; minute++) stored.store(startMs + minute * minuteMs);
  const feed = feedOf(stored);
  await feed.begin(null);
  stored.questions = 0;
  for (let second = 0; second < 60; second += 2) await feed.next(startMs + 5_000 * minuteMs + second * 1_000);
  expect(stored.questions).toBeLessThan(40);
});
