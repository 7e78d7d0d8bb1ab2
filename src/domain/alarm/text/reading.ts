import { lineOf } from '../../destination/message/plain-text.ts';
import { rejectionReasons } from '../../rejection.ts';
import type { AlarmNames, Evidence } from '../alarm.ts';

/** One thing that people are told about an alarm. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

const nameCharactersMax = 60;
const valueCharactersMax = 300;

/** Evidence comes from the database, perhaps from another version: whatever it lacks is not told. */
export class EvidenceReader {
  readonly #evidence: Evidence;

  constructor(evidence: unknown) {
    this.#evidence = isRecord(evidence) ? evidence : {};
  }

  number(key: string): number | null {
    const value = this.#evidence[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  }

  /** One line. */
  text(key: string): string | null {
    const value = this.#evidence[key];
    const line = typeof value === 'string' ? lineOf(value, valueCharactersMax) : '';
    return line === '' ? null : line;
  }

  flag(key: string): boolean | null {
    const value = this.#evidence[key];
    return typeof value === 'boolean' ? value : null;
  }

  within(key: string): EvidenceReader {
    return new EvidenceReader(this.#evidence[key]);
  }

  list(key: string): EvidenceReader[] {
    const value = this.#evidence[key];
    return Array.isArray(value) ? value.map((one) => new EvidenceReader(one)) : [];
  }

  count(key: string): string | null {
    const number = this.number(key);
    return number === null ? null : numberText(number);
  }

  time(key: string): string | null {
    const value = this.#evidence[key];
    if (typeof value !== 'string' && !(value instanceof Date)) return null;
    const at = new Date(value);
    return Number.isNaN(at.getTime()) ? null : timeText(at);
  }
}

function isRecord(value: unknown): value is Evidence {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `1,234`, and decimal places only of small ones. */
export function numberText(number: number): string {
  const size = Math.abs(number);
  return number.toLocaleString('en', { maximumFractionDigits: size < 1 ? 2 : size < 10 ? 1 : 0 });
}

/** `3 leads`, `1 lead`. */
export function countText(number: number, noun: string): string {
  const text = numberText(number);
  return text === '1' ? `1 ${noun}` : `${text} ${noun}s`;
}

/** `2026-11-17 14:03 UTC`: readers may be anywhere. */
export function timeText(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Owners choose names freely, so they may be anything. */
export function nameText(names: AlarmNames, subject: keyof AlarmNames): string {
  const name: unknown = names?.[subject];
  const line = typeof name === 'string' ? lineOf(name, nameCharactersMax) : '';
  return line === '' ? unnamed[subject] : line;
}

const unnamed: Readonly<Record<keyof AlarmNames, string>> = {
  form: 'a form',
  token: 'a token',
  destination: 'a destination',
};

/** Without those that nothing is known about. */
export function facts(...rows: readonly (readonly [label: string, value: string | null])[]): Fact[] {
  return rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}

const explained = new Map<string, { readonly text: string; readonly fix: string }>(
  rejectionReasons.map(({ code, text, fix }) => [code, { text, fix }]),
);

/** Why requests were rejected, in words. */
export function reasonText(reason: string | null): string | null {
  if (reason === null) return null;
  return explained.get(reason)?.text ?? lineOf(reason, nameCharactersMax);
}

export function fixText(reason: string | null): string | null {
  return explained.get(reason ?? '')?.fix ?? null;
}

/** A path with the filters of its page. */
export function pathOf(path: string, filters: Readonly<Record<string, string | null>> = {}): string {
  const chosen = Object.entries(filters).flatMap(([name, value]) =>
    value === null ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return chosen.length === 0 ? path : `${path}?${chosen.join('&')}`;
}
