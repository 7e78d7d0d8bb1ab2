import type { FormField } from '../../domain/form.ts';
import { parseStrictly } from '../../domain/json/strict-json.ts';
import { directionControls } from '../../domain/reading-direction.ts';

/*
 * Fields of a form as JSON Schema, and back. Used by the API, the command line and the settings area, so that all of them keep
 * and refuse the same.
 */

export const schemaType = 'application/schema+json';
export const schemaCharactersMax = 200_000;
const dialect = 'https://json-schema.org/draft/2020-12/schema';
const fieldsMax = 200;
const lossesMax = 200;
const labelCharactersMax = 200;

type Members = Readonly<Record<string, unknown>>;

/** What a schema says and a field cannot. */
interface SchemaLoss {
  /** Null for the schema as a whole. */
  readonly key: string | null;
  readonly keyword: string;
}

export interface SchemaFields {
  readonly fields: readonly FormField[];
  readonly losses: readonly SchemaLoss[];
}

/** Formats that JSON Schema defines, and `phone`, which it does not. Others are ignored by those who do not know them. */
const formatOfType = { email: 'email', phone: 'phone', url: 'uri' } as const;
const typeOfFormat: Readonly<Record<string, FormField['type']>> = {
  email: 'email',
  'idn-email': 'email',
  phone: 'phone',
  tel: 'phone',
  uri: 'url',
  url: 'url',
  iri: 'url',
};

/** Valid JSON Schema, with the fields in their order. */
export function schemaOfFields(name: string, fields: readonly FormField[]): string {
  const required = fields.filter((field) => field.required === true).map(({ key }) => key);
  const schema = {
    $schema: dialect,
    title: name,
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.key, propertyOf(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function propertyOf({ type, label }: FormField): object {
  return { ...(label === undefined ? {} : { title: label }), ...shapeOf(type) };
}

function shapeOf(type: FormField['type']): object {
  if (type === undefined) return {};
  if (type === 'number' || type === 'boolean') return { type };
  return type === 'text' ? { type: 'string' } : { type: 'string', format: formatOfType[type] };
}

/** Throws an error for people to read if it is no schema of an object. */
export function fieldsOfSchema(text: string): SchemaFields {
  if (text.length > schemaCharactersMax)
    throw new Error(`The schema has more than ${schemaCharactersMax.toLocaleString('en')} characters.`);
  const schema = parseStrictly(text);
  if (!isObject(schema)) throw new Error('The schema must be a JSON object.');
  const { properties } = schema;
  if (schema.type !== undefined && schema.type !== 'object')
    throw new Error('The schema must describe an object: its "type" must be "object".');
  if (!isObject(properties))
    throw new Error('The schema has no "properties". References and combined schemas are not followed.');
  const losses: SchemaLoss[] = lossesOf(null, schema, rootKeywords);
  const required = requiredKeys(schema.required);
  // A key can be required without being described.
  const keys = [...new Set([...Object.keys(properties), ...required])];
  if (keys.length > fieldsMax) throw new Error(`A form can have at most ${fieldsMax} fields.`);
  const fields = keys.map((key): FormField => {
    const { field, lost } = fieldOf(key, Object.hasOwn(properties, key) ? properties[key] : true);
    losses.push(...lost);
    return required.has(key) ? { ...field, required: true } : field;
  });
  return { fields, losses: losses.slice(0, lossesMax) };
}

const rootKeywords = new Set(['$schema', '$id', 'title', 'type', 'properties', 'required']);
const fieldKeywords = new Set(['title', 'type', 'format']);

function lossesOf(key: string | null, schema: Members, kept: ReadonlySet<string>): SchemaLoss[] {
  return Object.keys(schema)
    .filter((keyword) => !kept.has(keyword))
    .map((keyword) => ({ key, keyword }));
}

function requiredKeys(required: unknown): ReadonlySet<string> {
  if (required === undefined) return new Set();
  if (!Array.isArray(required) || !required.every((key) => typeof key === 'string'))
    throw new Error('"required" must be a list of keys.');
  return new Set(required);
}

function fieldOf(key: string, schema: unknown): { field: FormField; lost: SchemaLoss[] } {
  if (key === '') throw new Error('A property has an empty key.');
  if (schema === true) return { field: { key }, lost: [] };
  if (!isObject(schema)) throw new Error(`The property "${key}" must be a schema.`);
  const lost = lossesOf(key, schema, fieldKeywords);
  const label = labelOf(schema.title);
  if (schema.title !== undefined && label === undefined) lost.push({ key, keyword: 'title' });
  const { type, unkept } = typeOf(schema);
  lost.push(...unkept.map((keyword) => ({ key, keyword })));
  return {
    field: { key, ...(label === undefined ? {} : { label }), ...(type === undefined ? {} : { type }) },
    lost,
  };
}

/** One line of text, as in the settings of a field. */
function labelOf(title: unknown): string | undefined {
  if (typeof title !== 'string') return undefined;
  const label = title.trim();
  const isLine = !/\p{Cc}/u.test(label) && !directionControls.test(label);
  return label !== '' && label.length <= labelCharactersMax && isLine ? label : undefined;
}

function typeOf(schema: Members): { type: FormField['type']; unkept: string[] } {
  const named = [schema.type].flat();
  const [type, ...others] = named.filter((name) => name !== 'null');
  const unkept = named.includes('null') ? ['type null'] : [];
  const format = schema.format === undefined ? [] : [`format ${String(schema.format)}`];
  if (others.length > 0)
    return { type: undefined, unkept: [...unkept, `type ${named.join(', ')}`, ...format] };
  if (type === 'string') {
    const known = typeof schema.format === 'string' ? ownValue(typeOfFormat, schema.format) : undefined;
    return { type: known ?? 'text', unkept: known === undefined ? [...unkept, ...format] : unkept };
  }
  if (type === 'number' || type === 'boolean') return { type, unkept: [...unkept, ...format] };
  if (type === 'integer') return { type: 'number', unkept: [...unkept, 'type integer', ...format] };
  return { type: undefined, unkept: [...unkept, ...(type === undefined ? [] : [`type ${type}`]), ...format] };
}

function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
