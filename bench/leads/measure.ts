import { operatorKey } from '../seed.ts';
import type { Case } from './cases.ts';

/** Milliseconds from the request to the whole response, or to the first bytes of an export. */
export interface Figures {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  /** Leads on the first page. */
  readonly found: number | null;
  /** Until the page was full or the list ended: a search may take several requests. */
  readonly calls: number;
  readonly wholeMs: number;
}

const runs = 40;
const warmUps = 3;
const caseMsMax = 5_000;
const pageLeads = 50;

export async function measure(leadsUrl: string, { query, path }: Case): Promise<Figures> {
  const address = (more: Record<string, string> = {}) =>
    `${leadsUrl}${path ?? ''}?${new URLSearchParams({ ...query, ...more })}`;
  const times: number[] = [];
  const deadline = performance.now() + caseMsMax;
  for (let run = -warmUps; run < runs && (run < warmUps || performance.now() < deadline); run++) {
    const startedAt = performance.now();
    await (path === '/export' ? firstBytes(address()) : readPage(address()));
    if (run >= 0) times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  const whole = path === '/export' ? { found: null, calls: 1, wholeMs: at(0.5) } : await readWhole(address);
  return { p50: at(0.5), p95: at(0.95), max: at(1), ...whole };
}

async function readWhole(address: (more: Record<string, string>) => string) {
  const startedAt = performance.now();
  let found = 0;
  let calls = 0;
  for (let cursor: string | null | undefined; cursor !== null && found < pageLeads; calls++) {
    const page = await readPage(address(cursor === undefined ? {} : { cursor }));
    found += page.items.length;
    cursor = page.next_cursor;
  }
  return { found, calls, wholeMs: performance.now() - startedAt };
}

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

export async function readPage(address: string): Promise<Page> {
  return (await (await request(address)).json()) as Page;
}

async function firstBytes(address: string): Promise<void> {
  const reader = (await request(address)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
}

async function request(address: string): Promise<Response> {
  const response = await fetch(address, { headers: { authorization: `Bearer ${operatorKey}` } });
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
  return response;
}
