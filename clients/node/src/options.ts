import type { RetryOptions } from './attempts.ts';

/** A server token, or the slug of a form with its webhook secret. */
export type Credential =
  | { readonly token: string; readonly slug?: never; readonly secret?: never }
  | { readonly slug: string; readonly secret: string; readonly token?: never };

export type LeadgateOptions = Credential &
  RetryOptions & {
    /** The address of the service, for example https://leads.example.com. */
    readonly url: string | URL;
    /** Begins the names of the service's headers; `X-SVC-` unless the service is configured otherwise. */
    readonly headerPrefix?: string;
    /** How many leads of batches go out in a minute; 1000 unless other senders share the workspace. */
    readonly perMinuteMax?: number;
  };

export const headerPrefixDefault = 'X-SVC-';

/** Types do not hold where an environment variable is not set, or in JavaScript. */
export function checkOptions(options: LeadgateOptions): void {
  const { url, token, slug, secret, headerPrefix = headerPrefixDefault } = options ?? {};
  if (!isText(url) && !(url instanceof URL)) throw new TypeError('Pass `url`, the address of the service.');
  if (!/^https?:/i.test(String(url)) || !URL.canParse(String(url)))
    throw new TypeError('`url` is not an http or https address.');
  if (token !== undefined && (slug !== undefined || secret !== undefined))
    throw new TypeError('Pass either `token`, or `slug` and `secret`, not both.');
  if (token === undefined && slug === undefined && secret === undefined)
    throw new TypeError(
      'Credentials are missing: pass `token`, or `slug` and `secret`. All of them are undefined.',
    );
  const needed = token === undefined ? { slug, secret } : { token };
  for (const [name, value] of Object.entries(needed))
    if (!isText(value)) throw new TypeError(`Credentials are missing: \`${name}\` is not a text, or empty.`);
  if (token !== undefined && !canBeHeader('Authorization', `Bearer ${token}`))
    throw new TypeError('`token` has characters that a header cannot hold, such as a line break.');
  if (!canBeHeader(`${headerPrefix}Timestamp`, ''))
    throw new TypeError('`headerPrefix` cannot begin a header.');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Says nothing of the value: an error must not hold a token. */
function canBeHeader(name: string, value: string): boolean {
  try {
    new Headers().set(name, value);
    return true;
  } catch {
    return false;
  }
}
