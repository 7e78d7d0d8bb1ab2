import type { LeadPrint, RepeatListener, RepeatMemory } from '../../domain/score/repeat-memory.ts';
import type { Clock } from '../../time/clock.ts';
import type { HostNoScriptLimits } from '../browser/submissions/no-script-limits.ts';
import { type SignatureMemory, signatureNameBytes } from '../commit/signature-memory.ts';
import type { HostLink } from './link.ts';
import { PackedMessages, type Records } from './packed-messages.ts';

export interface SharedMemoriesDeps {
  readonly link: HostLink;
  readonly clock: Clock;
}

export const memoryTopics = { repeats: 'repeats', signatures: 'signatures', noScript: 'no-script' } as const;

/**
 * A fingerprint on its way to the other workers:
 *
 *   form id 36, as text | body 4 | sender 4 | email 4 | network 4 | text 4 | sketch 16 | time 8
 *
 * The time is negative for a lead that is to be forgotten. A sketch of zeros is none.
 */
const formIdBytes = 36;
const printBytes = 80;
const printTimeAt = 9;

/** Tells the other workers what this one sees, and remembers what they see. */
export function shareRepeats(memory: RepeatMemory, deps: SharedMemoriesDeps): void {
  const messages = new PackedMessages({
    ...deps,
    topic: memoryTopics.repeats,
    recordBytes: printBytes,
    onRecord: (records, index) => receivePrint(memory, records, index),
  });
  const tell = (formId: string, print: LeadPrint, time: number) => {
    if (formId.length === formIdBytes)
      messages.add((records, index) => writePrint(records, index, formId, print, time));
  };
  const listener: RepeatListener = { seen: tell, forgotten: (formId, print, at) => tell(formId, print, -at) };
  memory.tellTo(listener);
}

function writePrint(
  { bytes, integers, doubles }: Records,
  index: number,
  formId: string,
  print: LeadPrint,
  time: number,
) {
  const start = index * printBytes;
  const at = (start + formIdBytes) / 4;
  bytes.write(formId, start, 'latin1');
  integers[at] = print.body;
  integers[at + 1] = print.sender;
  integers[at + 2] = print.email;
  integers[at + 3] = print.network;
  integers[at + 4] = print.text;
  for (let part = 0; part < 4; part++) integers[at + 5 + part] = print.sketch?.[part] ?? 0;
  doubles[start / 8 + printTimeAt] = time;
}

function receivePrint(memory: RepeatMemory, { bytes, integers, doubles }: Records, index: number): void {
  const start = index * printBytes;
  const at = (start + formIdBytes) / 4;
  const formId = bytes.toString('latin1', start, start + formIdBytes);
  const print: LeadPrint = {
    body: integers[at] as number,
    sender: integers[at + 1] as number,
    email: integers[at + 2] as number,
    network: integers[at + 3] as number,
    text: integers[at + 4] as number,
    sketch: sketchAt(integers, at + 5),
  };
  const time = doubles[start / 8 + printTimeAt] as number;
  if (time < 0) memory.drop(formId, print, -time);
  else memory.absorb(formId, print, time);
}

function sketchAt(integers: Int32Array, at: number): LeadPrint['sketch'] {
  const sketch = [...integers.subarray(at, at + 4)] as [number, number, number, number];
  return sketch.some((part) => part !== 0) ? sketch : null;
}

/** The same for signatures that have created a lead. */
export function shareSignatures(memory: SignatureMemory, deps: SharedMemoriesDeps): void {
  const messages = new PackedMessages({
    ...deps,
    topic: memoryTopics.signatures,
    recordBytes: signatureNameBytes,
    onRecord: ({ bytes }, index) => {
      const start = index * signatureNameBytes;
      memory.absorb(bytes.toString('latin1', start, start + signatureNameBytes));
    },
  });
  memory.tellTo((name) =>
    messages.add(({ bytes }, index) => {
      bytes.write(name, index * signatureNameBytes, 'latin1');
    }),
  );
}

/** form id 36, as text | network 44, as text | time 8 */
const networkBytes = 44;
const visitBytes = formIdBytes + networkBytes + 8;

/** The same for forms that browsers without script have sent. */
export function shareNoScript(limits: HostNoScriptLimits, deps: SharedMemoriesDeps): void {
  const messages = new PackedMessages({
    ...deps,
    topic: memoryTopics.noScript,
    recordBytes: visitBytes,
    onRecord: ({ bytes, doubles }, index) => {
      const start = index * visitBytes;
      const networkAt = start + formIdBytes;
      const network = bytes.toString('latin1', networkAt, networkAt + networkBytes).replaceAll('\0', '');
      const formId = bytes.toString('latin1', start, networkAt);
      limits.absorb(formId, network, doubles[(start + formIdBytes + networkBytes) / 8] as number);
    },
  });
  limits.tellTo((formId, network, at) =>
    messages.add(({ bytes, doubles }, index) => {
      const start = index * visitBytes;
      bytes.fill(0, start, start + visitBytes);
      bytes.write(formId, start, 'latin1');
      bytes.write(network, start + formIdBytes, networkBytes, 'latin1');
      doubles[(start + formIdBytes + networkBytes) / 8] = at;
    }),
  );
}
