import { expect, test } from 'vitest';
import { minuteMs } from '../../../time/clock.ts';
import { systemClock } from '../../../time/real-clock.ts';
import { CapService, mintCaps } from '../../outcomes/host-caps.ts';
import type { HostLink } from '../../siblings/link.ts';
import { MintLimits } from './mint-limits.ts';

type Handle = (content: unknown) => unknown;

/** A clock that a test moves. */
function newClock() {
  let at = 0;
  return Object.assign(Object.create(systemClock) as typeof systemClock, {
    monotonic: () => at,
    pass: (ms: number) => {
      at += ms;
    },
  });
}

/** Links of workers to one supervisor. */
function newHost(): () => HostLink {
  const service = new CapService({ clock: newClock(), kind: mintCaps });
  return () => {
    const handles = new Map<string, Handle>();
    const onAsk = (topic: string, handle: Handle) => handles.set(topic, handle);
    service.join(1, { onAsk } as unknown as HostLink);
    return {
      ask: async (topic, content) => handles.get(topic)?.(structuredClone(content)),
      tell() {},
      onTell() {},
      onAsk() {},
    };
  };
}

test('a challenge is spent for as long as it is valid, and then forgotten', async () => {
  const clock = newClock();
  const limits = new MintLimits({ clock });
  expect(await limits.spend('nonce')).toBe(true);
  for (let minutes = 0; minutes <= 5; minutes++) {
    expect(await limits.spend('nonce')).toBe(false);
    clock.pass(minuteMs);
  }
  clock.pass(20 * minuteMs);
  await limits.spend('another');
  clock.pass(20 * minuteMs);
  await limits.spend('a third');
  expect(await limits.spend('nonce')).toBe(true);
});

test('a challenge is spent for all workers of a host, and limits are those of the host', async () => {
  const link = newHost();
  const [one, other] = [1, 2].map(() => new MintLimits({ clock: newClock(), link: link() })) as [
    MintLimits,
    MintLimits,
  ];
  expect(await one.spend('nonce')).toBe(true);
  expect(await other.spend('nonce')).toBe(false);
  const allowed: boolean[] = [];
  for (let n = 0; n < 40; n++) allowed.push(await (n % 2 ? one : other).allowsNetwork('network', 0));
  expect(allowed.filter(Boolean)).toHaveLength(30);
  expect(await one.allowsNetwork('network', minuteMs)).toBe(true);
});

test('without a supervisor that responds, a worker decides alone', async () => {
  const link = { ask: () => Promise.reject(new Error('gone')) } as unknown as HostLink;
  const limits = new MintLimits({ clock: newClock(), link });
  expect(await limits.spend('nonce')).toBe(true);
  expect(await limits.spend('nonce')).toBe(false);
});

test('a form gets 5,000 tokens a minute, from however many networks', async () => {
  const limits = new MintLimits({ clock: newClock() });
  let allowed = 0;
  for (let n = 0; n < 5_010; n++) if (await limits.allowsForm('form', 0)) allowed++;
  expect(allowed).toBe(5_000);
  expect(await limits.allowsForm('another form', 0)).toBe(true);
});

test('the rate of challenges is that of the last 60 seconds', () => {
  const limits = new MintLimits({ clock: newClock() });
  for (let n = 0; n < 40; n++) limits.challenged('network', 30_000);
  expect(limits.challenged('network', 59_999)).toBe(41);
  expect(limits.challenged('network', minuteMs + 30_000)).toBe(1 + 41 / 2);
  expect(limits.challenged('another', 30_000)).toBe(1);
});
