import { decimalOf } from '../../destination/reading/decimal.ts';
import { isPresent } from '../../destination/reading/lead-document.ts';
import { type JsonText, kindOf, textOf } from '../../json/json-text.ts';

const numberCharactersMax = 60;
const textCharactersMax = 100;

/**
 * What a list is sorted by: keys are compared by their code points. Null if there is no value; such leads come last.
 *
 *   n…   a number, or text that is one: in numerical order, however many digits
 *   t…   other text: its first characters in lower case, with accents after their letters. Lists and objects as JSON.
 */
export function sortKeyOf(json: JsonText | null | undefined): string | null {
  if (json === null || !isPresent(json)) return null;
  return textKey(kindOf(json) === 'text' ? textOf(json) : json);
}

export function textKey(text: string): string {
  const trimmed = text.slice(0, 2 * textCharactersMax).trim();
  const number = text.length <= numberCharactersMax ? numberKey(trimmed) : null;
  if (number !== null) return number;
  const start = trimmed.slice(0, textCharactersMax).toLowerCase().normalize('NFD');
  return `t${start.slice(0, textCharactersMax).toWellFormed()}`;
}

const pointMax = 1e11;
const pointDigits = 12;

/** Null if it is not a number. */
export function numberKey(text: string): string | null {
  const decimal = decimalOf(text);
  if (decimal === null) return null;
  const { sign, digits, point } = decimal;
  if (sign === 0) return 'n1';
  const place = Math.max(-pointMax, Math.min(pointMax, point)) * sign + pointMax;
  const start = String(place).padStart(pointDigits, '0');
  // Of two negative numbers, the one with the larger digits is the smaller, and so is the longer one.
  return sign === 1 ? `n2${start}${digits}` : `n0${start}${complement(digits)}:`;
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}

/** By code points, as PostgreSQL compares bytes of UTF-8; JavaScript itself compares UTF-16. */
export function compareKeys(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const a = one.charCodeAt(at);
    const b = other.charCodeAt(at);
    if (a !== b) return inCodePointOrder(a) - inCodePointOrder(b);
  }
  return one.length - other.length;
}

function inCodePointOrder(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
