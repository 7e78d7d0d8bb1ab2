import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType } from '../../src/domain/destination/destination.ts';
import type { Random } from '../../src/time/random.ts';
import { operatorKey } from '../seed.ts';

export interface FeedEvent {
  readonly id: string;
  readonly cursor: string;
  readonly type: EventType;
  readonly submission_id: string | null;
}

interface Page {
  readonly items: readonly FeedEvent[];
  readonly next_cursor: string;
}

const pauseMs = 200;
const waitSeconds = 2;
const answerMsMax = 10_000;
const pageEvents = 1_000;

/** Reads the feed of a workspace from some instance, as a program would: with the cursor of the page before. */
export class FeedReader {
  readonly workspaceId: string;
  readonly events: FeedEvent[] = [];
  /** Why it could not read on, although the service was up. */
  refusal: string | null = null;
  readonly #ports: readonly number[];
  readonly #random: Random;
  #cursor: string | null = null;
  #isFinishing = false;
  #running: Promise<void> | null = null;

  constructor(workspaceId: string, ports: readonly number[], random: Random) {
    this.workspaceId = workspaceId;
    this.#ports = ports;
    this.#random = random;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Returns when a page was empty. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let isAtEnd = false; !(isAtEnd && this.#isFinishing) && this.refusal === null; ) {
      const page = await readPage(
        this.#random.pick(this.#ports),
        this.workspaceId,
        this.#cursor,
        waitSeconds,
      );
      if (page === null) await sleep(pauseMs);
      else if (typeof page === 'string') this.refusal = page;
      else {
        isAtEnd = page.items.length === 0;
        this.events.push(...page.items);
        this.#cursor = page.next_cursor;
      }
    }
  }
}

/** The whole feed, when nothing happens any more. */
export async function readFeed(port: number, workspaceId: string): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Page | string | null = await readPage(port, workspaceId, cursor, 0);
    if (page === null || typeof page === 'string') throw new Error(page ?? 'The feed cannot be read');
    if (page.items.length === 0) return events;
    events.push(...page.items);
    cursor = page.next_cursor;
  }
}

/** What someone misses or gets twice who always reads on from where they were, and what is not in order. */
export function readingErrors(
  feed: readonly FeedEvent[],
  reading: readonly FeedEvent[],
): { readonly gaps: string[]; readonly isOrdered: boolean } {
  const seen = new Set(reading.map(({ id }) => id));
  const missed = feed.filter(({ id }) => !seen.has(id)).length;
  const again = reading.length - seen.size;
  const gaps = [
    ...(missed > 0 ? [`${missed} of ${feed.length} events were missed`] : []),
    ...(again > 0 ? [`${again} events were read twice`] : []),
  ];
  const isOrdered = [feed, reading].every((list) =>
    list.every(({ cursor }, i) => i === 0 || Number(cursor) > Number(list[i - 1]?.cursor)),
  );
  return { gaps, isOrdered };
}

/** Null if the instance is down, or has no database. A text if it refuses. */
async function readPage(
  port: number,
  workspaceId: string,
  after: string | null,
  wait: number,
): Promise<Page | string | null> {
  const query = new URLSearchParams({ limit: String(pageEvents), wait: String(wait) });
  if (after !== null) query.set('after', after);
  const url = `http://127.0.0.1:${port}/api/v1/workspaces/${workspaceId}/events?${query}`;
  const headers = { authorization: `Bearer ${operatorKey}` };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(answerMsMax) });
    if (response.ok) return (await response.json()) as Page;
    const text = await response.text();
    const isLater = response.status >= 500 || response.status === 429;
    return isLater ? null : `the feed answered ${response.status}: ${text}`;
  } catch {
    return null;
  }
}
