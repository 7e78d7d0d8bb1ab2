/** JSON that is mostly passed on. Parsing it would round long numbers, and takes long for a hostile lead. */
export type JsonText = string;

/**
 * Reads JSON text without parsing what nobody asked for. Numbers stay as they are written, keys such as `__proto__` mean
 * nothing, and the time is linear in the length of the text. The text is valid JSON: it comes from the database or from
 * JSON.stringify.
 */
export type JsonKind = 'object' | 'list' | 'text' | 'number' | 'boolean' | 'null';

const quote = 0x22;
const backslash = 0x5c;

export function kindOf(json: JsonText): JsonKind {
  switch (json[0]) {
    case '{':
      return 'object';
    case '[':
      return 'list';
    case '"':
      return 'text';
    case 't':
    case 'f':
      return 'boolean';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}

/** The text of a string; every other value as it is written. */
export function textOf(json: JsonText): string {
  if (kindOf(json) !== 'text') return json;
  return json.includes('\\') ? JSON.parse(json) : json.slice(1, -1);
}

/** Of a key that occurs twice, the last value counts, as in JSON.parse. */
export function membersOf(object: JsonText): ReadonlyMap<string, JsonText> {
  return new Map(eachMember(object));
}

/** Key and value of one member after the other, for those who want to pause in between. */
export function* eachMember(object: JsonText): Generator<[string, JsonText], undefined> {
  let at = skipBlanks(object, 1);
  while (object.charCodeAt(at) === quote) {
    const keyEnd = endOfString(object, at);
    const key = textOf(object.slice(at, keyEnd));
    const start = skipBlanks(object, skipBlanks(object, keyEnd) + 1);
    const end = endOfValue(object, start);
    yield [key, object.slice(start, end)];
    at = afterComma(object, end);
  }
}

/** The first items of a list. */
export function itemsOf(list: JsonText, itemsMax = Number.POSITIVE_INFINITY): JsonText[] {
  const items: JsonText[] = [];
  let at = skipBlanks(list, 1);
  while (at < list.length - 1 && items.length < itemsMax) {
    const end = endOfValue(list, at);
    items.push(list.slice(at, end));
    at = afterComma(list, end);
  }
  return items;
}

const placeShape = /^(?:0|[1-9]\d{0,8})$/;

/**
 * The value at a path of keys, and of places in lists. What is around it is not read to its end, so the time does not grow
 * with the depth. Keys occur once, as in everything that PostgreSQL writes.
 */
export function valueAt(json: JsonText, path: readonly string[]): JsonText | undefined {
  let at: number | undefined = 0;
  for (const part of path) {
    if (json[at] === '{') at = startOfMember(json, at, part);
    else if (json[at] === '[' && placeShape.test(part)) at = startOfItem(json, at, Number(part));
    else return undefined;
    if (at === undefined) return undefined;
  }
  return json.slice(at, endOfValue(json, at));
}

function startOfMember(json: string, objectAt: number, key: string): number | undefined {
  let at = skipBlanks(json, objectAt + 1);
  while (json.charCodeAt(at) === quote) {
    const keyEnd = endOfString(json, at);
    const start = skipBlanks(json, skipBlanks(json, keyEnd) + 1);
    if (textOf(json.slice(at, keyEnd)) === key) return start;
    at = afterComma(json, endOfValue(json, start));
  }
  return undefined;
}

function startOfItem(json: string, listAt: number, place: number): number | undefined {
  let at = skipBlanks(json, listAt + 1);
  for (let passed = 0; json[at] !== ']'; passed++) {
    if (passed === place) return at;
    const end = skipBlanks(json, endOfValue(json, at));
    if (json[end] !== ',') return undefined;
    at = skipBlanks(json, end + 1);
  }
  return undefined;
}

/** The same value without blanks between its parts. PostgreSQL writes blanks. */
export function compact(json: JsonText): JsonText {
  let compacted = '';
  let copied = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfString(json, at) - 1;
    else if (isBlank(code)) {
      compacted += json.slice(copied, at);
      at = skipBlanks(json, at) - 1;
      copied = at + 1;
    }
  }
  return copied === 0 ? json : compacted + json.slice(copied);
}

function afterComma(json: string, end: number): number {
  return skipBlanks(json, skipBlanks(json, end) + 1);
}

function endOfValue(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) {
      at = endOfString(json, at) - 1;
      if (depth === 0) return at + 1;
    } else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      // Without an opening bracket before it, it ends what is around a number, true, false or null.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (code === 0x2c || isBlank(code))) return at;
  }
  return json.length;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at + 1;
  }
  return json.length;
}

function skipBlanks(json: string, from: number): number {
  let at = from;
  while (at < json.length && isBlank(json.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
