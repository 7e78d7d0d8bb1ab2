import { type JsonText, kindOf, textOf } from '../../json/json-text.ts';
import { type Decimal, decimalKey, decimalOf } from './decimal.ts';

/** The values of one field of a lead. Each form is made when it is first asked for, and kept for further conditions. */
export class FieldValues {
  readonly #values: readonly JsonText[];
  #texts: readonly string[] | undefined;
  #lowerTexts: readonly string[] | undefined;
  #decimals: readonly Decimal[] | undefined;
  #decimalKeys: readonly string[] | undefined;

  constructor(values: readonly JsonText[]) {
    this.#values = values;
  }

  get isPresent(): boolean {
    return this.#values.length > 0;
  }

  /** Without lists and objects, which have no text to compare. */
  texts(): readonly string[] {
    this.#texts ??= this.#values.filter(isComparable).map(textOf);
    return this.#texts;
  }

  lowerTexts(): readonly string[] {
    this.#lowerTexts ??= this.texts().map((text) => text.toLowerCase());
    return this.#lowerTexts;
  }

  /** Those that are numbers. */
  decimals(): readonly Decimal[] {
    this.#decimals ??= this.texts().flatMap((text) => decimalOf(text.trim()) ?? []);
    return this.#decimals;
  }

  decimalKeys(): readonly string[] {
    this.#decimalKeys ??= this.decimals().map(decimalKey);
    return this.#decimalKeys;
  }
}

function isComparable(json: JsonText): boolean {
  return !['object', 'list', 'null'].includes(kindOf(json));
}

// Below this, the search of the engine is faster, whatever the text.
const stepsMax = 100_000;

/**
 * The same as `text.includes(part)`, in linear time (Knuth, Morris, Pratt): the search of the engine compares every
 * character with every other for text such as `aaaaaa`.
 */
export function contains(text: string, part: string): boolean {
  if (text.length * part.length <= stepsMax) return text.includes(part);
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== part.charCodeAt(matched)) matched = borders[matched - 1] as number;
    if (code === part.charCodeAt(matched)) matched++;
    if (matched === part.length) return true;
  }
  return false;
}

/** For each beginning of the text, how long the longest other beginning is that it ends with. */
function bordersOf(text: string): Uint16Array {
  const borders = new Uint16Array(text.length);
  for (let at = 1, matched = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== text.charCodeAt(matched))
      matched = borders[matched - 1] as number;
    if (text.charCodeAt(at) === text.charCodeAt(matched)) matched++;
    borders[at] = matched;
  }
  return borders;
}
