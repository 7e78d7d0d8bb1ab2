import { kindOfKey, kindOfValue } from '../score/reading/fields.ts';
import { isReadableSender, type ReadableSender } from './kinds.ts';

type Fields = Record<string, unknown>;
type Reader = (call: Fields) => Fields;

/** What each sender nests, as the flat fields of a lead. */
const readers: Readonly<Record<ReadableSender, Reader>> = {
  typeform: readTypeform,
  webflow: (call) => ({ ...objectIn(objectIn(call, 'payload'), 'data') }),
  standard_webhooks: readStandard,
  svix: readStandard,
  google_ads: readGoogleAds,
};

/** The body of the lead that a call is: JSON with flat fields, the email address among them. Null if it cannot be read. */
export function readCall(sender: string, body: Buffer): Buffer | null {
  if (!isReadableSender(sender)) return null;
  try {
    const call: unknown = JSON.parse(body.toString('utf8'), exactNumber);
    if (!isObject(call)) return null;
    const fields = withEmail(readers[sender](call), call);
    return Object.keys(fields).length === 0 ? null : Buffer.from(JSON.stringify(fields));
  } catch {
    return null;
  }
}

/** Ids may have more digits than a number can hold. */
function exactNumber(
  this: unknown,
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const source = context?.source;
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value);
  return isExact || source === undefined ? value : source;
}

function readTypeform(call: Fields): Fields {
  const response = objectIn(call, 'form_response');
  const questions = new Map(
    listIn(objectIn(response, 'definition'), 'fields').map((field) => [field.id, field.title]),
  );
  const answers = listIn(response, 'answers').map((answer): [string, unknown] => {
    const field = objectIn(answer, 'field');
    const name = nameOfType(answer.type) ?? textOf(questions.get(field.id)) ?? textOf(field.ref);
    return [name ?? textOf(field.id) ?? 'answer', typeformAnswer(answer)];
  });
  return { ...named(answers), ...objectIn(response, 'hidden') };
}

function nameOfType(type: unknown): string | null {
  if (type === 'email') return 'email';
  return type === 'phone_number' ? 'phone' : null;
}

function typeformAnswer(answer: Fields): unknown {
  const value = answer[String(answer.type)];
  if (!isObject(value)) return value;
  const labels = Array.isArray(value.labels) ? value.labels.join(', ') : value.label;
  return labels ?? value.other ?? value;
}

/** The event's data, and its type. */
function readStandard(call: Fields): Fields {
  const { type, event, data } = call;
  if (!isObject(data)) return call;
  return {
    ...(type === undefined ? {} : { event: type }),
    ...(event === undefined ? {} : { event }),
    ...data,
  };
}

const googleNames: Readonly<Record<string, string>> = { PHONE_NUMBER: 'phone', WORK_EMAIL: 'work_email' };

function readGoogleAds(call: Fields): Fields {
  const answers = listIn(call, 'user_column_data').map((column): [string, unknown] => {
    const id = textOf(column.column_id);
    const name = id === null ? textOf(column.column_name) : (googleNames[id] ?? id.toLowerCase());
    return [name ?? 'answer', column.string_value];
  });
  const { user_column_data: _, google_key: __, is_test: isTest, api_version: ___, ...others } = call;
  return { ...named(answers), ...others, ...(isTest === true ? { sender_test: true } : {}) };
}

/** Two questions may have the same title. */
function named(answers: readonly (readonly [string, unknown])[]): Fields {
  const fields: Fields = {};
  for (const [name, value] of answers) {
    let free = name;
    for (let n = 2; Object.hasOwn(fields, free); n++) free = `${name} ${n}`;
    Object.defineProperty(fields, free, { value, enumerable: true, configurable: true, writable: true });
  }
  return fields;
}

/** Adds the address of the person, if it is not among the fields: the nearest to the top. */
function withEmail(fields: Fields, call: Fields): Fields {
  if (Object.entries(fields).some(isEmail)) return fields;
  let level: unknown[] = [fields, call];
  for (let depth = 0; depth < depthMax && level.length > 0; depth++) {
    const entries = level.filter(isObjectOrArray).flatMap((one) => Object.entries(one).slice(0, entriesMax));
    const found = entries.find(isEmail);
    if (found !== undefined) return { email: found[1], ...fields };
    level = entries.map(([, value]) => value).slice(0, entriesMax);
  }
  return fields;
}

const depthMax = 5;
const entriesMax = 1_000;

function isEmail([key, value]: readonly [string, unknown]): boolean {
  return typeof value === 'string' && kindOfKey(key) === 'email' && kindOfValue(value) === 'email';
}

function objectIn(container: Fields, key: string): Fields {
  const value = container[key];
  return isObject(value) ? value : {};
}

function listIn(container: Fields, key: string): Fields[] {
  const value = container[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isObject(value: unknown): value is Fields {
  return isObjectOrArray(value) && !Array.isArray(value);
}

function isObjectOrArray(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
