/** One member of an object: its key, and both of its halves as JSON text. */
export interface JsonMember {
  readonly key: string;
  readonly keyText: string;
  readonly valueText: string;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const blank = 0x20;
const pauseCharacters = 131_072;

/**
 * The members of an object as PostgreSQL writes it, without building what they hold: JSON.parse takes many times as long
 * for a value of thousands of parts, and cannot be interrupted. Now and then it yields null, for a pause.
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
  let depth = 0;
  let pauseAt = start + pauseCharacters;
  for (let at = start; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === quote) {
      at = endOfString(json, at) - 1;
      if (depth === 0) return at + 1;
    } else if (unit === 0x7b || unit === 0x5b) depth++;
    else if (unit === 0x7d || unit === 0x5d) {
      // Of the object around a number, true, false or null.
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (unit === comma || unit === blank)) return at;
    if (at < pauseAt) continue;
    pauseAt = at + pauseCharacters;
    yield null;
  }
  throw new Error('A value in the JSON of the database has no end.');
}
