import { type DebugRequest, type Header, headerValue, UnreadablePaste, wholeRequest } from '../request.ts';

const requestLine = /^([A-Za-z]+)[ \t]+((?:\/|https?:\/\/)\S*)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*$/;
const headerLine = /^([!#$%&'*+.^_`|~\w-]+)[ \t]*:(.*)$/;

/** Reads a pasted HTTP request: an optional request line, headers, an empty line, and the exact body. */
export function readRawRequest(text: string, prefix: string): DebugRequest {
  return readRawBytes(Buffer.from(text), prefix);
}

/** The same for bytes: the body need not be text. */
export function readRawBytes(bytes: Buffer, prefix: string): DebugRequest {
  const { head, body } = splitRaw(bytes);
  const lines = head.split(/\r?\n/);
  const first = requestLine.exec(lines[0] ?? '');
  const headers = (first === null ? lines : lines.slice(1)).map(readHeader);
  const whole = { method: first?.[1]?.toUpperCase() ?? 'POST', path: first?.[2] ?? '', headers };
  return wholeRequest(whole, bodyOf(body, headers), prefix);
}

/** Request line and headers, and everything after the empty line. */
export function splitRaw(bytes: Buffer): { readonly head: string; readonly body: Buffer } {
  // As latin1, one character per byte, so that positions in the text are positions in the bytes.
  const text = bytes.toString('latin1');
  const start = /^(?:[ \t]*\r?\n)*/.exec(text)?.[0].length ?? 0;
  const end = /\r?\n\r?\n/.exec(text.slice(start));
  if (end === null) {
    const head = bytes
      .subarray(start)
      .toString('utf8')
      .replace(/\r?\n$/, '');
    return { head, body: Buffer.alloc(0) };
  }
  return {
    head: bytes.subarray(start, start + end.index).toString('utf8'),
    body: bytes.subarray(start + end.index + end[0].length),
  };
}

function readHeader(line: string): Header {
  const match = headerLine.exec(line);
  if (match === null) {
    throw new UnreadablePaste(
      `this line is not a header: ${JSON.stringify(line.slice(0, 60))}; paste the request line, one header per line, an empty line, and the body`,
    );
  }
  return { name: match[1] as string, value: (match[2] as string).trim() };
}

function bodyOf(pasted: Buffer, headers: readonly Header[]): Buffer {
  if (/chunked/i.test(headerValue(headers, 'Transfer-Encoding') ?? '')) return unchunked(pasted) ?? pasted;
  const declared = headerValue(headers, 'Content-Length');
  const length = declared !== null && /^\d+$/.test(declared) ? Number(declared) : pasted.length;
  // Editors and terminals append line endings when pasting; the declared length tells which belong to the body.
  const isOnlyLineEnds = pasted.subarray(length).every((byte) => byte === 0x0a || byte === 0x0d);
  return length < pasted.length && isOnlyLineEnds ? pasted.subarray(0, length) : pasted;
}

/** Null if the body is not chunked after all: most tools show it already joined. */
function unchunked(body: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf('\n', at);
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r?$/i.exec(
      body.subarray(at, lineEnd === -1 ? body.length : lineEnd).toString('latin1'),
    );
    if (size === null) return null;
    const bytes = Number.parseInt(size[1] as string, 16);
    if (bytes === 0) return Buffer.concat(chunks);
    if (lineEnd === -1 || lineEnd + 1 + bytes > body.length) return null;
    chunks.push(body.subarray(lineEnd + 1, lineEnd + 1 + bytes));
    at = lineEnd + 1 + bytes;
    if (body[at] === 0x0d) at++;
    if (body[at] === 0x0a) at++;
  }
  return null;
}
