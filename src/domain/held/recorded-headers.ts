/** Names and values in the order in which they were sent. */
export type RecordedHeaders = readonly (readonly [name: string, value: string])[];

const headersMax = 40;
const charactersMax = 4_096;
const nameCharactersMax = 64;
const valueCharactersMax = 512;
const shortMax = 20;

/** Shown for a value that is not kept. */
export const notRecorded = '[not recorded]';

/**
 * What is recorded with its value. All other headers are recorded by name only: they may carry credentials or say who
 * someone is, such as cookies and addresses of clients. The three last are headers of the service, whose prefix is configurable.
 */
const recordedNames =
  /^(?:accept(?:-.+)?|cache-control|connection|content-(?:encoding|language|length|type)|date|expect|host|origin|prefer|pragma|sec-fetch-.+|te|traceparent|transfer-encoding|user-agent|via|x-forwarded-(?:host|proto)|x-request-id|.+-(?:timestamp|idempotency-key|signature))$/;

/** Of the raw headers of a request: a name, its value, the next name … */
export function recordHeaders(raw: readonly string[]): RecordedHeaders {
  const recorded: (readonly [string, string])[] = [];
  let characters = 0;
  for (let place = 0; place + 1 < raw.length && recorded.length < headersMax; place += 2) {
    const name = (raw[place] as string).slice(0, nameCharactersMax);
    const value = recordedValue(name.toLowerCase(), raw[place + 1] as string);
    characters += name.length + value.length;
    if (characters > charactersMax) break;
    recorded.push([name, value]);
  }
  return recorded;
}

function recordedValue(name: string, value: string): string {
  if (name === 'authorization') return shortCredential(value);
  if (name === 'referer') return withoutQuery(value);
  if (!recordedNames.test(name)) return notRecorded;
  if (!name.endsWith('-signature')) return value.slice(0, valueCharactersMax);
  // Some providers send a fixed secret in a header of that name.
  return value.length > shortMax ? shortSignature(value) : `${value.slice(0, 4)}…`;
}

/** The scheme and the kind of token, which are often what is wrong, and nothing of its secret. */
function shortCredential(value: string): string {
  const [, scheme = '', kind = ''] = /^(\w{1,16}) +(ingt_srv_|ingt_br_|lgk_)?/.exec(value) ?? [];
  return scheme === '' ? notRecorded : `${scheme} ${kind}…`;
}

/** A page's address can carry anything after the question mark, and a name and a password before the host. */
function withoutQuery(value: string): string {
  const address = value.replace(/[?#].*$/s, '');
  return address.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*@/i, '$1//').slice(0, valueCharactersMax);
}

/** Enough to compare by eye. */
export function shortSignature(value: string): string {
  const sign = value.length > shortMax ? `${value.slice(0, 12)}…${value.slice(-4)}` : value;
  return sign.slice(0, valueCharactersMax);
}
