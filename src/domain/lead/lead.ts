import { isUtf8 } from 'node:buffer';
import { type BodyShape, isDigit, shapeOf } from './body-shape.ts';

export const bodyBytesMax = 131_072;
/** A larger lead takes so long, here and in PostgreSQL, that it is handled apart from the others. */
export const largeBodyBytes = 16 * 1024;
export const depthMax = 64;

export type LeadFields = Record<string, unknown>;

/** A body that is a lead: its fields, and their projection as JSON text that PostgreSQL is sure to accept. */
export interface Lead {
  readonly fields: LeadFields;
  readonly projection: Buffer;
}

export type BodyRejectionReason = 'body_not_json' | 'body_not_object' | 'body_too_deep';

export function parseLead(body: Buffer, shape: BodyShape = shapeOf(body)): Lead | BodyRejectionReason {
  const bytes = withoutByteOrderMark(body);
  if (!isUtf8(bytes)) return 'body_not_json';
  const text = bytes.toString('utf8');
  const value = parseJson(text);
  if (value === undefined) return 'body_not_json';
  if (!isObject(value)) return 'body_not_object';
  if (shape.depth > depthMax) return 'body_too_deep';
  // Most bodies are kept as received: no copy, no second serialisation.
  if (isPlain(value, shape)) return { fields: value, projection: bytes };
  const fields = cleaned(text, shape);
  return { fields, projection: Buffer.from(JSON.stringify(fields)) };
}

/** In words, of JSON that is no object, by its first character. */
export function kindOfJson(body: Buffer): string {
  const start = withoutByteOrderMark(body).subarray(0, kindBytesMax).toString('latin1').trimStart();
  if (start.startsWith('[')) return 'a list';
  if (start.startsWith('"')) return 'a string';
  return /^[-\d]/.test(start) ? 'a number' : 'true, false or null';
}

/** Nobody writes more spaces before a value. */
const kindBytesMax = 64;

export function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isContainer(value: unknown): value is LeadFields {
  return typeof value === 'object' && value !== null;
}

export function isObject(value: unknown): value is LeadFields {
  return isContainer(value) && !Array.isArray(value);
}

/** False if the text may contain something that jsonb rejects or changes. A false alarm only costs the slow path. */
function isPlain(value: LeadFields, { hasUnicodeEscape, hasOddNumber, hasLongNumber }: BodyShape): boolean {
  return !hasUnicodeEscape && !hasOddNumber && !(hasLongNumber && holdsInexact(value));
}

/** Recursion is safe, because the depth has been checked. */
function holdsInexact(value: unknown): boolean {
  if (typeof value === 'number') return !isExact(value);
  if (!isContainer(value)) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsInexact);
}

/** PostgreSQL writes out exponents: 1e-300 would take 302 bytes wherever the lead is shown. */
const writtenOutMin = 1e-20;

function isExact(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size >= writtenOutMin && size <= Number.MAX_SAFE_INTEGER);
}

/** Numbers that JavaScript cannot hold, or that PostgreSQL writes out at length, become strings; text becomes well formed, without NUL. */
function cleaned(text: string, { hasUnicodeEscape, hasOddNumber, hasLongNumber }: BodyShape): LeadFields {
  const quoted = hasOddNumber || hasLongNumber ? withQuotedNumbers(text) : text;
  const fields = JSON.parse(quoted) as LeadFields;
  return hasUnicodeEscape ? (withCleanTexts(fields) as LeadFields) : fields;
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

/** A reviver that reads the source of each number takes a hundred times as long. The text is valid JSON. */
function withQuotedNumbers(text: string): string {
  let quoted = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      for (at++; text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++;
    } else if (code === minus || isDigit(code)) {
      const from = at;
      while (isInNumber(text.charCodeAt(at + 1))) at++;
      const number = text.slice(from, at + 1);
      if (isExact(Number(number))) continue;
      quoted += `${text.slice(copied, from)}"${number}"`;
      copied = at + 1;
    }
  }
  return quoted + text.slice(copied);
}

/** Digits, decimal point, signs and exponent letters. */
function isInNumber(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x2b || code === minus || (code | 0x20) === 0x65;
}

function withCleanTexts(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(withCleanTexts);
  if (!isContainer(value)) return value;
  // Without a prototype, `__proto__` is a key like any other.
  const clean: LeadFields = Object.create(null);
  for (const key of Object.keys(value)) clean[cleanText(key)] = withCleanTexts(value[key]);
  return clean;
}

function cleanText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
