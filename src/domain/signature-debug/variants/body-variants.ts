import type { MistakeCode } from '../mistakes.ts';
import type { DebugRequest } from '../request.ts';
import { fieldsAsForm, formAsJson } from './form-data.ts';
import { jsonVariants } from './json-variants.ts';
import { DistinctBytes, right, type Variant, wrong } from './variant.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const notTexts = ['[object Object]', 'undefined', 'null', 'None', 'Array', '{}', '[]', '""'];

/** The body as it arrived, then every other body the sender may have signed, each once, likely ones first. */
export function* bodyVariants(request: DebugRequest): Generator<Variant<Buffer>> {
  const seen = new DistinctBytes();
  for (const variant of allVariants(request)) if (seen.isNew(variant.value)) yield variant;
}

function* allVariants({ body, claimedBody, contentType }: DebugRequest): Generator<Variant<Buffer>> {
  yield right(body);
  if (claimedBody !== null) yield wrong(claimedBody, 'body_changed', 'the body was changed in transit');
  yield wrong(Buffer.alloc(0), 'body_empty', 'an empty body was signed');
  yield* lineEndVariants(body);
  const text = textOf(body);
  if (text !== null) {
    for (const { value, findings } of jsonVariants(text.replace(/^\uFEFF/, ''))) {
      yield { value: Buffer.from(value), findings };
    }
  }
  yield* charsetVariants(body, text);
  yield* wrappedVariants(body, text);
  if (text !== null) yield* formVariants(text, contentType);
  for (const thing of notTexts) {
    yield wrong(Buffer.from(thing), 'body_not_text', `"${thing}" was signed instead of the body`);
  }
  if (text !== null) yield* copiesWithNewline(text);
}

export function textOf(body: Buffer): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

function* lineEndVariants(body: Buffer): Generator<Variant<Buffer>> {
  // As latin1, one character per byte: these variants must not change any other bytes.
  const text = body.toString('latin1');
  const line = (value: string, says: string) =>
    wrong(Buffer.from(value, 'latin1'), 'body_line_ends', `the body was signed ${says}`);
  yield line(`${text}\n`, 'with a newline at the end that was not sent');
  yield line(`${text}\r\n`, 'with a carriage return and newline at the end that were not sent');
  yield line(`${text}\r`, 'with a carriage return at the end that was not sent');
  yield line(`${text} `, 'with a space at the end that was not sent');
  yield line(`${text}\0`, 'with a zero byte at the end that was not sent');
  yield line(`${text}\n\n`, 'with two newlines at the end that were not sent');
  yield line(text.replace(/\r?\n$/, ''), 'without the newline at the end');
  const { start, end } = withoutBlanks(text);
  yield line(text.slice(0, end), 'without the whitespace at the end');
  yield line(text.slice(start, end), 'without the whitespace around it');
  const unix = text.replaceAll('\r\n', '\n');
  yield line(unix, 'with Unix line endings');
  yield line(unix.replaceAll('\n', '\r\n'), 'with Windows line endings');
  yield line(text.replaceAll(/[\r\n]/g, ''), 'without its line breaks');
}

/** Not with a regular expression, which would take quadratic time for a long run of spaces. */
function withoutBlanks(text: string): { readonly start: number; readonly end: number } {
  const isBlank = (at: number) => ' \t\r\n'.includes(text.charAt(at));
  let [start, end] = [0, text.length];
  while (end > 0 && isBlank(end - 1)) end--;
  while (start < end && isBlank(start)) start++;
  return { start, end };
}

function* charsetVariants(body: Buffer, text: string | null): Generator<Variant<Buffer>> {
  const charset = (value: Buffer, says: string) =>
    wrong(value, 'body_charset', `the body was signed ${says}`);
  yield charset(Buffer.concat([byteOrderMark, body]), 'with a byte order mark that was not sent');
  if (body.subarray(0, 3).equals(byteOrderMark))
    yield charset(body.subarray(3), 'without its byte order mark');
  // Each byte read as a Latin-1 character and encoded again.
  yield charset(Buffer.from(body.toString('latin1')), 'encoded as UTF-8 twice');
  if (text === null) return;
  if (!/[^\u0000-\u00ff]/.test(text)) yield charset(Buffer.from(text, 'latin1'), 'as Latin-1');
  yield charset(Buffer.from(text, 'utf16le'), 'as UTF-16');
  yield charset(Buffer.from(`\ufeff${text}`, 'utf16le'), 'as UTF-16 with a byte order mark');
  yield charset(Buffer.from(text, 'utf16le').swap16(), 'as UTF-16 (big-endian)');
  yield charset(
    Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    'as UTF-16 (big-endian) with a byte order mark',
  );
  yield charset(
    Buffer.from(text.replaceAll(/[\u0080-\u{10ffff}]/gu, '?')),
    'with ? instead of each non-ASCII character',
  );
  yield charset(
    Buffer.from(text.replaceAll(/[\u0080-\u{10ffff}]/gu, '')),
    'without its non-ASCII characters',
  );
  for (const form of ['NFC', 'NFD'] as const) {
    yield charset(Buffer.from(text.normalize(form)), `in Unicode normal form ${form}`);
  }
}

function* wrappedVariants(body: Buffer, text: string | null): Generator<Variant<Buffer>> {
  const wrapped = (value: string, says: string, code: MistakeCode = 'body_wrapped') =>
    wrong(Buffer.from(value), code, `the body was signed ${says}`);
  yield wrapped(body.toString('base64'), 'as base64');
  yield wrapped(body.toString('base64url'), 'as base64');
  yield wrapped(body.toString('hex'), 'as hex');
  if (text === null) return;
  yield wrapped(JSON.stringify(text), 'as a JSON string');
  yield wrapped(encodeURIComponent(text.toWellFormed()), 'percent-encoded');
  const inner = innerText(text);
  if (inner !== null) yield wrapped(inner, 'before it became a JSON string');
}

/** A body that is a JSON string may have been signed before it became one. */
function innerText(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function* formVariants(text: string, contentType: string | null): Generator<Variant<Buffer>> {
  for (const form of fieldsAsForm(text)) {
    yield wrong(Buffer.from(form), 'body_form_encoded', 'form data was signed, but JSON was sent');
  }
  for (const json of formAsJson(text, contentType)) {
    yield wrong(Buffer.from(json), 'body_form_encoded', 'JSON was signed, but form data was sent');
  }
}

/** Tools such as jq format JSON their own way and add a newline. */
function* copiesWithNewline(text: string): Generator<Variant<Buffer>> {
  for (const { value, findings } of jsonVariants(text.replace(/^\uFEFF/, ''))) {
    const newline = { code: 'body_line_ends', says: 'with a newline at the end' } as const;
    yield { value: Buffer.from(`${value}\n`), findings: [...findings, newline] };
  }
}
