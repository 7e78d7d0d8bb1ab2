import { formFormatOf } from '../../../domain/browser/form-format.ts';
import { bodyBytesMax } from '../../../domain/lead/lead.ts';
import type { RejectionReason } from '../../../domain/rejection.ts';
import type { HeaderValue } from '../../headers.ts';
import { boundaryOf, parseMultipart, partsMax } from './multipart.ts';

type FormBodyReason = Extract<
  RejectionReason,
  'content_type_unsupported' | 'body_not_json' | 'body_too_large'
>;
type Pair = readonly [name: string, value: string];

/** The fields of a form as the JSON object that a page with script would have sent, or why there is none. */
export function jsonOfForm(contentType: HeaderValue, body: Buffer): Buffer | FormBodyReason {
  const format = typeof contentType === 'string' ? formFormatOf(contentType) : null;
  if (format === null) return 'content_type_unsupported';
  const pairs = format === 'urlencoded' ? urlencodedPairs(body) : multipartPairs(contentType as string, body);
  if (pairs === null) return 'body_not_json';
  const json = Buffer.from(JSON.stringify(objectOf(pairs)));
  // Escapes may take more space than what they stand for.
  return json.length > bodyBytesMax ? 'body_too_large' : json;
}

/** Null for more fields than any form has: reading them would hold up other requests. */
function urlencodedPairs(body: Buffer): Pair[] | null {
  let count = 1;
  for (let at = body.indexOf('&'); at !== -1; at = body.indexOf('&', at + 1))
    if (++count > partsMax) return null;
  return [...new URLSearchParams(body.toString('utf8'))];
}

/** Of files only the names: a lead has no attachments. */
function multipartPairs(contentType: string, body: Buffer): Pair[] | null {
  const boundary = boundaryOf(contentType);
  const parts = boundary === null ? null : parseMultipart(body, boundary);
  return parts?.map(({ name, fileName, value }): Pair => [name, fileName ?? value.toString('utf8')]) ?? null;
}

/** A name that occurs more than once, such as that of a group of checkboxes, has all its values. */
function objectOf(pairs: readonly Pair[]): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  // Unlike an assignment, this makes "__proto__" a member like any other.
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length === 1 ? (all[0] as string) : all]),
  );
}
