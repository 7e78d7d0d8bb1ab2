import { isUtf8 } from 'node:buffer';

export const bodyBytesMax = 131_072;
export const depthMax = 64;

export type LeadFields = Record<string, unknown>;

/** A body that is a lead: its fields, and the JSON text of their projection, which PostgreSQL accepts for certain. */
export interface Lead {
  readonly fields: LeadFields;
  readonly projection: Buffer;
}

export type BodyFault = 'body_not_json' | 'body_not_object' | 'body_too_deep';

export function parseLead(body: Buffer): Lead | BodyFault {
  const bytes = withoutByteOrderMark(body);
  if (!isUtf8(bytes)) return 'body_not_json';
  const text = bytes.toString('utf8');
  const value = parseJson(text);
  if (value === undefined) return 'body_not_json';
  if (!isContainer(value) || Array.isArray(value)) return 'body_not_object';

  const finding = inspect(value, 1);
  if (finding === 'too_deep') return 'body_too_deep';
  // Most bodies are kept as they came: no copy, no second serialisation.
  if (finding === 'plain' && !mayNeedCleaning(text)) return { fields: value, projection: bytes };
  const fields = cleaned(text);
  return { fields, projection: Buffer.from(JSON.stringify(fields)) };
}

function withoutByteOrderMark(body: Buffer): Buffer {
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

type Finding = 'plain' | 'odd_number' | 'too_deep';

/** Recursion is safe: it stops one level past the limit. */
function inspect(container: LeadFields, depth: number): Finding {
  if (depth > depthMax) return 'too_deep';
  let finding: Finding = 'plain';
  for (const key in container) {
    const value = container[key];
    if (typeof value === 'number') {
      if (!isExact(value)) finding = 'odd_number';
    } else if (isContainer(value)) {
      const inner = inspect(value, depth + 1);
      if (inner === 'too_deep') return inner;
      if (inner === 'odd_number') finding = inner;
    }
  }
  return finding;
}

function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/**
 * Escapes can spell NUL and lone surrogates, which jsonb refuses; exponents can spell numbers that take a few
 * bytes here and megabytes once PostgreSQL writes them out; and PostgreSQL refuses fractions of many thousand
 * digits. A false alarm only costs the slow path.
 */
function mayNeedCleaning(text: string): boolean {
  return text.includes('\\u') || /\d[eE][+-]?\d|\d{300}/.test(text);
}

/** Numbers JavaScript cannot hold become strings of their own spelling; text becomes well formed, without NUL. */
function cleaned(text: string): LeadFields {
  // The third argument of a reviver is newer than TypeScript's declaration of it.
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => LeadFields;
  return parse(text, (_key, value, context) => {
    if (typeof value === 'string') return cleanText(value);
    if (typeof value === 'number' && !isExact(value)) return context.source ?? String(value);
    if (isContainer(value) && !Array.isArray(value)) return withCleanKeys(value);
    return value;
  });
}

function cleanText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

function withCleanKeys(object: LeadFields): LeadFields {
  // Without a prototype, `__proto__` is a key like any other.
  const clean: LeadFields = Object.create(null);
  for (const key of Object.keys(object)) clean[cleanText(key)] = object[key];
  return clean;
}
