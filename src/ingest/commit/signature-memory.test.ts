import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { VerifiedSignature } from '../../domain/signature.ts';
import { minuteMs } from '../../time/clock.ts';
import type { FormEntry } from '../directory/directory.ts';
import { SignatureMemory } from './signature-memory.ts';

const form = { idBytes: randomBytes(16) } as FormEntry;
const signature = (): VerifiedSignature => ({
  digest: randomBytes(32),
  timestampSeconds: 0,
  isByFormerSecret: false,
});

describe('the signature memory', () => {
  test('recognises a signature it has seen, on the same form only', () => {
    const memory = new SignatureMemory();
    const one = signature();
    expect(memory.see(form, one, 0)).toBe(false);
    expect(memory.see(form, one, 1)).toBe(true);
    expect(memory.see({ idBytes: randomBytes(16) } as FormEntry, one, 2)).toBe(false);
  });

  test('reports a replay only when the signature has created a lead before', () => {
    const memory = new SignatureMemory();
    const one = signature();
    memory.see(form, one, 0);
    expect(memory.markStored(form, one)).toBe(false);
    expect(memory.markStored(form, one)).toBe(true);
  });

  test('remembers a signature for as long as it is valid, even if few follow', () => {
    const memory = new SignatureMemory();
    const one = signature();
    memory.see(form, one, 0);
    expect(memory.see(form, one, 10 * minuteMs)).toBe(true);
  });

  test('stays bounded and remembers the latest, however many follow', () => {
    const memory = new SignatureMemory();
    const [first, ...others] = Array.from({ length: 120_000 }, signature) as [
      VerifiedSignature,
      ...VerifiedSignature[],
    ];
    memory.see(form, first, 0);
    for (const other of others) memory.see(form, other, 0);
    expect(memory.see(form, others.at(-1) as VerifiedSignature, 0)).toBe(true);
    expect(memory.see(form, first, 0)).toBe(false);
  });
});
