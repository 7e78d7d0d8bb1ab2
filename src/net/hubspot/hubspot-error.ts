/** What HubSpot says about a request that it refuses. Every member of its body is optional. */
export interface HubspotError {
  readonly flaws: readonly HubspotFlaw[];
  /** Of which the token needs at least one. */
  readonly scopes: readonly string[];
}

export interface HubspotFlaw {
  readonly message: string;
  /** Such as `INVALID_EMAIL`; null if there is none. */
  readonly code: string | null;
  /** The name of the property; null if it is about something else. */
  readonly property: string | null;
}

// The rest would only repeat them.
const flawsMax = 5;
const scopesMax = 10;
const scopeShape = /^[\w.-]{1,100}$/;
const embeddedShape = /^Property values were not valid: (\[.*\])$/s;
const cutMessage = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/;

/** The body may be cut, or no JSON at all. */
export function hubspotErrorIn(body: string): HubspotError {
  const parsed = objectIn(body);
  if (parsed === null) {
    const [, message = '""'] = cutMessage.exec(body) ?? [];
    return { flaws: flawsOf({ message: parsedJson(message) }), scopes: [] };
  }
  const details = objectsIn(parsed.errors);
  const flaws = details.flatMap(flawsOf);
  return {
    flaws: (flaws.length > 0 ? flaws : flawsOf(parsed)).slice(0, flawsMax),
    scopes: [parsed, ...details].flatMap(scopesOf).slice(0, scopesMax),
  };
}

/** A message can have the flaws of several properties in it, as JSON. */
function flawsOf({ message, code, error, name, context }: Json): HubspotFlaw[] {
  if (typeof message !== 'string' || message === '') return [];
  const embedded = embeddedShape.exec(message)?.[1];
  const inner = embedded === undefined ? [] : objectsIn(parsedJson(embedded)).flatMap(flawsOf);
  if (inner.length > 0) return inner;
  const [property = name] = listIn(objectOr(context).propertyName);
  return [{ message, code: textOr(code) ?? textOr(error), property: textOr(property) }];
}

function scopesOf({ context }: Json): string[] {
  const { requiredGranularScopes, requiredScopes, missingScopes } = objectOr(context);
  return [requiredGranularScopes, requiredScopes, missingScopes]
    .flatMap(listIn)
    .filter((scope): scope is string => typeof scope === 'string' && scopeShape.test(scope));
}

export type Json = Readonly<Record<string, unknown>>;

/** Null if a text is not the JSON of an object. */
export function objectIn(text: string): Json | null {
  const value = parsedJson(text);
  return isObject(value) ? value : null;
}

export function objectsIn(value: unknown): Json[] {
  return listIn(value).filter(isObject);
}

export function objectOr(value: unknown): Json {
  return isObject(value) ? value : {};
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
