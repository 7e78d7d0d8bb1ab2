import { expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../src/time/clock.ts';
import { hostLimits, type Sent, SpoolsOfAHost } from './spools-of-a-host.ts';

const seeds = Array.from({ length: 10 }, (_, n) => n + 1);
const workspaces = [0, 1];

interface Troubles {
  readonly kills?: boolean;
  readonly diskFailures?: boolean;
  readonly stalls?: boolean;
}

async function outage(host: SpoolsOfAHost, troubles: Troubles): Promise<void> {
  const { random } = host;
  for (let step = 0; step < 120; step++) {
    const ids = [...host.workers.keys()];
    const id = random.pick(ids);
    const key = random.chance(0.7) ? random.integer(0, 12) : null;
    const workspace = random.pick(workspaces);
    host.send(id, workspace, key);
    // The same key at the same moment, mostly elsewhere.
    if (random.chance(0.3)) host.send(random.pick(ids), workspace, key);
    if (troubles.kills && random.chance(0.03)) {
      host.kill(id);
      host.start();
    }
    if (troubles.diskFailures && random.chance(0.1))
      random.chance(0.5) ? host.disk.faults.add('io') : host.disk.faults.clear();
    if (troubles.stalls && random.chance(0.02))
      for (const { pair } of host.workers.values())
        pair.stallUntil(host.time.monotonic() + random.between(0, 4_000));
    await host.pass(random.between(0, 30), () => {
      if (!troubles.kills && !troubles.stalls) expectWithinSpace(host);
    });
  }
  host.disk.faults.clear();
}

/** PostgreSQL is back: the same keys come again while the spools are drained. */
async function recovery(host: SpoolsOfAHost): Promise<void> {
  const { random } = host;
  host.isUp = true;
  for (let step = 0; step < 30; step++) {
    host.send(random.pick([...host.workers.keys()]), random.pick(workspaces), random.integer(0, 12));
    await host.pass(random.between(0, 60));
  }
  await host.pass(minuteMs);
  expect(host.sent).toHaveLength(host.asked);
  expect({ own: host.spooledBytes, leads: host.ledger.leads, bytes: host.ledger.bytes }).toEqual({
    own: 0,
    leads: 0,
    bytes: 0,
  });
}

function expectWithinSpace(host: SpoolsOfAHost): void {
  expect(host.ledger.bytes).toBeGreaterThanOrEqual(host.spooledBytes);
  expect(host.spooledBytes).toBeLessThanOrEqual(host.bytesMax);
  for (const workspace of workspaces) {
    const name = Buffer.alloc(16, workspace + 1).toString('latin1');
    const bytes = [...host.workers.values()].reduce((sum, { spool }) => sum + spool.stock.bytesOf(name), 0);
    expect(bytes).toBeLessThanOrEqual(host.bytesMax / 4);
  }
}

function idOf({ result }: Sent): string | null {
  return typeof result === 'object' && 'submissionId' in result ? result.submissionId : null;
}

function countOf(sent: readonly Sent[], kind: string): number {
  return sent.filter(({ result }) => typeof result === 'object' && result.kind === kind).length;
}

function expectOneIdPerKey(sent: readonly Sent[]): void {
  const keyed = sent.filter((one) => one.key !== null && idOf(one) !== null);
  for (const same of Map.groupBy(keyed, ({ workspace, key }) => `${workspace} ${key}`).values())
    expect(new Set(same.map(idOf)).size).toBe(1);
}

/** The original of a duplicate was on disk before the duplicate was answered. */
function expectOriginalsFirst(sent: readonly Sent[]): void {
  const stored = new Set<string>();
  for (const { result } of sent) {
    if (typeof result !== 'object') continue;
    if (result.kind === 'stored') {
      expect(stored).not.toContain(result.submissionId);
      stored.add(result.submissionId);
    }
    if (result.kind === 'duplicate') expect(stored).toContain(result.submissionId);
  }
}

async function hostWith(seed: number, workers = 3): Promise<SpoolsOfAHost> {
  const host = new SpoolsOfAHost(seed);
  for (let n = 0; n < workers; n++) host.start();
  await host.pass(50);
  return host;
}

test('the spools of a host together stay within the limits, and a key has one id and one lead', async () => {
  let limited = 0;
  let withoutSpace = 0;
  for (const seed of seeds) {
    const host = await hostWith(seed);
    const diskFailures = seed % 2 === 0;
    await outage(host, { diskFailures });
    const { sent } = host;
    for (const workspace of workspaces) {
      const own = sent.filter((one) => one.workspace === workspace);
      expect(countOf(own, 'stored')).toBeLessThanOrEqual(hostLimits.perMinuteMax);
      limited += countOf(own, 'rate_limited');
      if (!diskFailures) withoutSpace += countOf(own, 'unavailable');
    }
    expectOriginalsFirst(sent);
    await recovery(host);
    expectOneIdPerKey(sent);
  }
  expect(Math.min(limited, withoutSpace)).toBeGreaterThan(0);
});

test('workers that die, and a supervisor that does not answer, leave one id per key and no bytes behind', async () => {
  let died = 0;
  for (const seed of seeds) {
    const host = await hostWith(seed);
    await outage(host, { kills: seed % 3 !== 0, stalls: seed % 2 === 0, diskFailures: seed % 5 === 0 });
    died += host.sent.filter(({ result }) => result === 'died').length;
    await recovery(host);
    expectOneIdPerKey(host.sent);
  }
  expect(died).toBeGreaterThan(0);
});

test('the leads of a worker that has stopped are known to the others during the outage', async () => {
  for (const seed of seeds) {
    const host = await hostWith(seed);
    const [first = 0, ...others] = host.workers.keys();
    const keys = [0, 1, 2, 3, 4];
    for (const key of keys) host.send(first, 0, key);
    await host.pass(500);
    host.kill(first);
    await host.pass(500);
    expect(host.ledger.leads).toBe(keys.length);
    for (const key of keys) host.send(host.random.pick(others), 0, key);
    await host.pass(500);
    expect(countOf(host.sent.slice(keys.length), 'duplicate')).toBe(keys.length);
    expectOneIdPerKey(host.sent);
    await recovery(host);
  }
});

test('a key that has expired gets one new id, whichever workers its next uses reach', async () => {
  for (const seed of seeds) {
    const host = await hostWith(seed);
    const ids = [...host.workers.keys()];
    const send = async () => {
      for (const id of ids) host.send(id, 0, 1);
      await host.pass(100);
      return host.sent.slice(-ids.length);
    };
    const before = await send();
    host.time.leap(25 * hourMs);
    const after = await send();
    expectOneIdPerKey(before);
    expectOneIdPerKey(after);
    expect(new Set([...before, ...after].map(idOf)).size).toBe(2);
    expect([...before, ...after].map(idOf)).not.toContain(null);
    await recovery(host);
  }
});
