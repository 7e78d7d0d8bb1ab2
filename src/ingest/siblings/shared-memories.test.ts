import { expect, test } from 'vitest';
import { noScriptPerNetworkAndHourMax } from '../../domain/browser/protection.ts';
import { type LeadPrint, RepeatMemory } from '../../domain/score/repeat-memory.ts';
import type { VerifiedSignature } from '../../domain/signature.ts';
import { hourMs } from '../../time/clock.ts';
import { systemClock } from '../../time/real-clock.ts';
import { HostNoScriptLimits } from '../browser/submissions/no-script-limits.ts';
import { SignatureMemory } from '../commit/signature-memory.ts';
import type { FormEntry } from '../directory/directory.ts';
import type { HostLink } from './link.ts';
import { Relay } from './relay.ts';
import { memoryTopics, shareNoScript, shareRepeats, shareSignatures } from './shared-memories.ts';

const print = (body: number): LeadPrint => ({
  body,
  sender: body,
  email: 0,
  network: 0,
  text: 77,
  sketch: [body, 2, -3, 4],
});
const formId = crypto.randomUUID();

/** Workers of one host whose messages arrive immediately. */
function workers(count: number) {
  const relay = new Relay(Object.values(memoryTopics));
  let messages = 0;
  const links = Array.from({ length: count }, (_, id) => {
    const fromWorker = new Map<string, (content: unknown) => void>();
    const toWorker = new Map<string, (content: unknown) => void>();
    const unused = () => Promise.reject(new Error('no questions here'));
    const end = (own: typeof toWorker, others: typeof toWorker): HostLink => ({
      tell: (topic, content) => {
        messages++;
        others.get(topic)?.(structuredClone(content));
      },
      onTell: (topic, handle) => own.set(topic, handle),
      ask: unused,
      onAsk: unused,
    });
    relay.join(id, end(fromWorker, toWorker));
    return end(toWorker, fromWorker);
  });
  return { links, messages: () => messages };
}

test('a worker sees the leads of its siblings as repeats, but not those that were not stored', async () => {
  const { links, messages } = workers(3);
  const memories = links.map((link) => {
    const memory = new RepeatMemory();
    shareRepeats(memory, { link, clock: systemClock });
    return memory;
  });
  const [first, second, third] = memories as [RepeatMemory, RepeatMemory, RepeatMemory];
  const seen = Array.from({ length: 100 }, (_, body) => first.see(formId, print(body + 1), 1_000 + body));
  seen[6]?.forget();
  await expect.poll(messages).toBe(3);
  for (const memory of [second, third]) {
    expect(memory.see(formId, print(5), 2_000).sameBody).toBe(1);
    // Of 32 texts that are alike, the one that was not stored is gone.
    expect(memory.see(formId, print(7), 2_000)).toMatchObject({ sameBody: 0, sameText: 31 });
    expect(memory.see(crypto.randomUUID(), print(5), 2_000).sameBody).toBe(0);
  }
  await expect.poll(messages).toBe(9);
  expect(first.see(formId, print(5), 2_000).sameBody).toBe(3);
});

test('a worker recognises the replay of a signed request that a sibling has stored', async () => {
  const { links, messages } = workers(2);
  const [first, second] = links.map((link) => {
    const memory = new SignatureMemory();
    shareSignatures(memory, { link, clock: systemClock });
    return memory;
  }) as [SignatureMemory, SignatureMemory];
  const form = { idBytes: Buffer.alloc(16, 200) } as FormEntry;
  const signed = (byte: number) => ({ digest: Buffer.alloc(32, byte) }) as VerifiedSignature;
  expect(first.markStored(form, signed(1))).toBe(false);
  first.see(form, signed(2), 0);
  await expect.poll(messages).toBe(2);
  expect(second.see(form, signed(2), 0)).toBe(false);
  expect(second.see(form, signed(1), 0)).toBe(true);
  expect(second.markStored(form, signed(1))).toBe(true);
});

test('forms without script count towards one limit in all workers', async () => {
  const { links, messages } = workers(2);
  const [first, second] = links.map((link) => {
    const limits = new HostNoScriptLimits();
    shareNoScript(limits, { link, clock: systemClock });
    return limits;
  }) as [HostNoScriptLimits, HostNoScriptLimits];
  const form = { id: formId } as FormEntry;
  const network = '2001:db8:1234:5678::/64';
  const takeFrom = (limits: HostNoScriptLimits, at: number) => limits.take(form, network, at);
  for (let n = 0; n < noScriptPerNetworkAndHourMax - 1; n++) expect(takeFrom(first, 1_000)).toBe(true);
  await expect.poll(messages).toBe(2);
  expect([takeFrom(second, 2_000), takeFrom(second, 2_000)]).toEqual([true, false]);
  expect(second.take(form, '10.0.0.1', 2_000)).toBe(true);
  expect(takeFrom(second, hourMs)).toBe(true);
});
