/** A part of a multipart body. */
export interface Part {
  readonly name: string;
  /** The name of the file; null for a field. */
  readonly fileName: string | null;
  readonly value: Buffer;
}

export const partsMax = 1_000;
const headBytesMax = 4_096;
const lineEnd = '\r\n';
const headEnd = '\r\n\r\n';
// RFC 2046 allows up to 70 characters.
const boundaryShape =
  /^multipart\/form-data[ \t]*;(?:.*;)?[ \t]*boundary=(?:"([^"\r\n]{1,70})"|([\w'()+,./:=?-]{1,70}))[ \t]*(?:;|$)/i;
const dispositionShape = /^content-disposition:[ \t]*form-data[ \t]*;(.*)$/i;
const parameterShape = /(?:^|;)[ \t]*(name|filename)="([^"]*)"/gi;

export function boundaryOf(contentType: string): string | null {
  const found = boundaryShape.exec(contentType);
  return found?.[1] ?? found?.[2] ?? null;
}

/**
 * The parts as browsers write them, or null for anything else. Every byte belongs to a boundary, a head or a value, each
 * part is found by one search from the end of the last, and nothing is decoded that is not used.
 */
export function parseMultipart(body: Buffer, boundary: string): Part[] | null {
  const opening = Buffer.from(`--${boundary}`, 'latin1');
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`, 'latin1');
  if (!body.subarray(0, opening.length).equals(opening)) return null;
  const parts: Part[] = [];
  let at = opening.length;
  while (!isAt(body, at, '--')) {
    if (!isAt(body, at, lineEnd) || parts.length === partsMax) return null;
    const headFrom = at + lineEnd.length;
    const headTo = body.subarray(0, headFrom + headBytesMax).indexOf(headEnd, headFrom, 'latin1');
    if (headTo === -1) return null;
    const valueFrom = headTo + headEnd.length;
    // The line end after the head may be the one before the boundary: the value is empty.
    const valueTo = body.indexOf(delimiter, valueFrom - lineEnd.length);
    if (valueTo === -1) return null;
    const part = partOf(body.toString('utf8', headFrom, headTo), body.subarray(valueFrom, valueTo));
    if (part === null) return null;
    parts.push(part);
    at = valueTo + delimiter.length;
  }
  const rest = at + 2;
  return rest === body.length || (isAt(body, rest, lineEnd) && rest + 2 === body.length) ? parts : null;
}

function isAt(body: Buffer, at: number, text: string): boolean {
  return body.toString('latin1', at, at + text.length) === text;
}

function partOf(head: string, value: Buffer): Part | null {
  const disposition = head.split(lineEnd).flatMap((line) => dispositionShape.exec(line)?.[1] ?? []);
  if (disposition.length !== 1) return null;
  const parameters = new Map<string, string>();
  for (const [, key = '', text = ''] of (disposition[0] as string).matchAll(parameterShape))
    parameters.set(key.toLowerCase(), unescaped(text));
  const name = parameters.get('name');
  if (name === undefined) return null;
  return { name, fileName: parameters.get('filename') ?? null, value };
}

/** Browsers escape these three in names, and nothing else. */
function unescaped(text: string): string {
  return text.replaceAll(/%0D/gi, '\r').replaceAll(/%0A/gi, '\n').replaceAll('%22', '"');
}
