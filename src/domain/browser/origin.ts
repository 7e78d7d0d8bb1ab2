/** Where web pages come from: scheme, host and port, as browsers send them in the Origin header. */

export const originsMax = 50;
const originCharactersMax = 300;
const wildcard = '*.';
/** Stands for the label that a wildcard allows while its origin is read. */
const anyLabel = 'any-label';

/** What a form allows: exact origins, and those with one label before a domain. */
export interface OriginRules {
  readonly exact: ReadonlySet<string>;
  /** `https://*.example.com` is listed as ['https://', '.example.com']. */
  readonly wildcards: readonly (readonly [before: string, after: string])[];
}

/**
 * An origin as an owner writes it, in the spelling that browsers use: lower case, punycode, no default port. It may have
 * one `*` for the first label of the host. Null for anything else, such as a URL with a path.
 */
export function normalOrigin(text: string): string | null {
  const trimmed = text.trim().replace(/\/$/, '');
  if (trimmed.length > originCharactersMax || !/^https?:\/\/[^/?#@\\\s]+$/i.test(trimmed)) return null;
  const isWildcard = trimmed.includes('*');
  const url = urlOf(isWildcard ? trimmed.replace(`://${wildcard}`, `://${anyLabel}.`) : trimmed);
  if (url === null || url.host.includes('*')) return null;
  if (!isWildcard) return url.origin;
  // A wildcard needs a domain of at least two labels after it, and https: anyone on the way can answer for plain http.
  const [, ...rest] = url.hostname.split('.');
  if (url.protocol !== 'https:' || rest.length < 2 || rest.includes('')) return null;
  return url.origin.replace(`${anyLabel}.`, wildcard);
}

export function originRules(origins: readonly string[]): OriginRules {
  const isWildcard = (origin: string) => origin.includes(wildcard);
  return {
    exact: new Set(origins.filter((origin) => !isWildcard(origin))),
    wildcards: origins.filter(isWildcard).map((origin) => {
      const [before = '', after = ''] = origin.split('*');
      return [before, after] as const;
    }),
  };
}

/** The header is compared as sent: browsers have one spelling for each origin, and `null` is none. */
export function isAllowedOrigin({ exact, wildcards }: OriginRules, origin: string): boolean {
  if (origin.length > originCharactersMax) return false;
  if (exact.has(origin)) return true;
  return wildcards.some(([before, after]) => {
    if (!origin.startsWith(before) || !origin.endsWith(after)) return false;
    const label = origin.slice(before.length, origin.length - after.length);
    return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
  });
}

/** Of a page on the developer's own machine, at any port. */
export function isLocalhost(origin: string): boolean {
  return /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/.test(origin);
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
