/** One member of an object: its key, and key and value as JSON text. */
export interface JsonMember {
  readonly key: string;
  readonly keyText: string;
  readonly valueText: string;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const pauseCharacters = 131_072;

/**
 * The members of an object as PostgreSQL writes it, without parsing their values: JSON.parse takes many times as long for a
 * value with thousands of parts, and cannot be interrupted. Yields null from time to time, to allow a pause.
 */
export function* membersOf(object: string): Generator<JsonMember | null, undefined> {
  // {"key": value, "key": value}
  for (let at = 1; object.charCodeAt(at) === quote; ) {
    const keyEnd = endOfString(object, at);
    const start = keyEnd + ': '.length;
    const end = yield* endOfValue(object, start);
    const keyText = object.slice(at, keyEnd);
    yield { key: textOfString(keyText), keyText, valueText: object.slice(start, end) };
    at = end + ', '.length;
  }
}

export function textOfString(json: string): string {
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1);
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === backslash) at++;
    else if (unit === quote) return at + 1;
  }
  throw new Error('A string in the JSON of the database has no end.');
}

function* endOfValue(json: string, start: number): Generator<null, number> {
  const scan = new ValueScan(json, start);
  while (!scan.goesOn(pauseCharacters)) yield null;
  return scan.at;
}

/** Where a value ends. The loop is in a method because V8 runs loops in generators many times more slowly. */
class ValueScan {
  readonly #json: string;
  #depth = 0;
  at: number;

  constructor(json: string, start: number) {
    this.#json = json;
    this.at = start;
  }

  /** True when `at` is past the value. */
  goesOn(characters: number): boolean {
    const json = this.#json;
    const until = Math.min(json.length, this.at + characters);
    let depth = this.#depth;
    let at = this.at;
    let isEnd = false;
    for (; at < until && !isEnd; at++) {
      const unit = json.charCodeAt(at);
      if (unit === quote) {
        at = endOfString(json, at) - 1;
        isEnd = depth === 0;
      } else if (unit === 0x7b || unit === 0x5b) depth++;
      else if (unit === 0x7d || unit === 0x5d) {
        // Without an opening bracket before it, it ends the object around a number, true, false or null.
        if (depth === 0) break;
        isEnd = --depth === 0;
      } else if (depth === 0 && unit === comma) break;
    }
    this.at = at;
    this.#depth = depth;
    if (isEnd || (at < until && depth === 0)) return true;
    if (at >= json.length) throw new Error('A value in the JSON of the database has no end.');
    return false;
  }
}
