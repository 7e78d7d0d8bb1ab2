import type { RetryOptions } from './attempts.ts';

/** An ingest token, or the slug and the webhook secret of a form. */
export type Credential =
  | { readonly token: string; readonly slug?: never; readonly secret?: never }
  | { readonly slug: string; readonly secret: string; readonly token?: never };

export type LeadgateOptions = Credential &
  RetryOptions & {
    /** The URL of the service, for example https://leads.example.com. */
    readonly url: string | URL;
    /** Prefix of the service's header names, as the service is configured. Default: `X-SVC-`. */
    readonly headerPrefix?: string;
    /** How many leads a batch sends per minute. Default: 1000. Lower it if other senders share the workspace. */
    readonly perMinuteMax?: number;
  };

export const headerPrefixDefault = 'X-SVC-';

/** Types do not help in JavaScript, or when an environment variable is not set. */
export function checkOptions(options: LeadgateOptions): void {
  const { url, token, slug, secret, headerPrefix = headerPrefixDefault } = options ?? {};
  if (!isText(url) && !(url instanceof URL)) throw new TypeError('Pass `url`, the URL of the service.');
  if (!/^https?:/i.test(String(url)) || !URL.canParse(String(url)))
    throw new TypeError('`url` is not an http or https URL.');
  if (token !== undefined && (slug !== undefined || secret !== undefined))
    throw new TypeError('Pass either `token`, or `slug` and `secret`, not both.');
  if (token === undefined && slug === undefined && secret === undefined)
    throw new TypeError('Credentials are missing: pass `token`, or `slug` and `secret`.');
  const needed = token === undefined ? { slug, secret } : { token };
  for (const [name, value] of Object.entries(needed))
    if (!isText(value)) throw new TypeError(`Credentials are missing: \`${name}\` is empty or not a string.`);
  if (token !== undefined && !canBeHeader('Authorization', `Bearer ${token}`))
    throw new TypeError('`token` contains characters that a header cannot contain, such as a line break.');
  if (!canBeHeader(`${headerPrefix}Timestamp`, ''))
    throw new TypeError('`headerPrefix` is not valid in a header name.');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Hides the original error, which may contain the token. */
function canBeHeader(name: string, value: string): boolean {
  try {
    new Headers().set(name, value);
    return true;
  } catch {
    return false;
  }
}
