import type { HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { inputErrorMessage, inputErrors } from '../../contract/problem.ts';
import { id } from '../../contract/shape.ts';
import { invalidInput, notFound, Problem } from './problem.ts';

export const managementBodyBytesMax = 1_000_000;
// The largest form settings have about 7,000. A megabyte of empty lists would take JSON.parse a tenth of a second.
const bodyPartsMax = 10_000;
const inputErrorsMax = 50;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export const limitBody = bodyLimit({
  maxSize: managementBodyBytesMax,
  onError: () => {
    // The rest of the body is still arriving, so the connection cannot be reused.
    const headers = { connection: 'close' };
    throw new Problem('body_too_large', `The body can have at most ${managementBodyBytesMax} bytes.`, {
      headers,
    });
  },
});

/** A malformed id gets the same response as an unknown one. */
export function readParams(request: HonoRequest): Record<string, string> {
  const entries = Object.entries(request.param()).map(([name, text]) => {
    const parsed = id.safeParse(text);
    if (!parsed.success) throw notFound(nounOf(name));
    return [name, parsed.data];
  });
  return Object.fromEntries(entries);
}

/** `token_id` → "token" */
function nounOf(param: string): string {
  return param === 'api_key_id' ? 'API key' : param.replace(/_id$/, '');
}

export function readQuery(request: HonoRequest, schema: z.ZodType = z.strictObject({})): unknown {
  const given = Object.entries(request.queries());
  const repeated = given.filter(([, values]) => values.length > 1);
  if (repeated.length > 0) {
    throw invalidInput(repeated.map(([field]) => ({ field, message: 'was given more than once' })));
  }
  return parse(schema, Object.fromEntries(given.map(([name, [value]]) => [name, value])));
}

export async function readBody(request: HonoRequest, schema: z.ZodType): Promise<unknown> {
  return parse(schema, readJson(await request.arrayBuffer()));
}

function readJson(bytes: ArrayBuffer): unknown {
  // No body means no fields; the schema reports what is missing.
  if (bytes.byteLength === 0) return {};
  if (bytes.byteLength > bodyPartsMax && partsOf(new Uint8Array(bytes)) > bodyPartsMax) {
    throw new Problem('body_too_large', `The body can have at most ${bodyPartsMax} members and entries.`);
  }
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Problem('invalid_json', 'The body must be one JSON object in UTF-8.');
  }
}

/** How many objects, lists, members and entries a JSON text has; approximate if it is not valid JSON. */
function partsOf(json: Uint8Array): number {
  let parts = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === 0x22) isInText = !isInText;
    else if (isInText) at += byte === 0x5c ? 1 : 0;
    else if (byte === 0x2c || byte === 0x3a || byte === 0x5b || byte === 0x7b) parts++;
  }
  return parts;
}

function parse(schema: z.ZodType, input: unknown): unknown {
  const parsed = schema.safeParse(input, { error: inputErrorMessage });
  if (!parsed.success) throw invalidInput(inputErrors(parsed.error).slice(0, inputErrorsMax));
  return parsed.data;
}
