import { Problem } from './problem.ts';

/**
 * Refuses cross-site requests. Browsers state the origin of a request in `Sec-Fetch-Site` and `Origin`, and no page can
 * change either: at least one must be present, and each that is present must name this service. Reads are allowed, because
 * another site cannot see the response.
 */
export function requireSameOrigin(headers: Headers, method: string, ownOrigin: string): void {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isOurs =
    (site === null || site === 'same-origin') &&
    (origin === null || isOwnOrigin(origin, headers.get('host'), ownOrigin)) &&
    (site !== null || origin !== null);
  if (!isOurs) {
    throw new Problem(
      'cross_site',
      `Make this request from a page at ${ownOrigin}, or with a key. Behind a proxy, set PUBLIC_URL to the URL that people use.`,
    );
  }
}

/** A service can have more names than PUBLIC_URL, such as localhost; `Host` has the one in the address bar. */
function isOwnOrigin(origin: string, host: string | null, ownOrigin: string): boolean {
  if (origin === ownOrigin) return true;
  return host !== null && origin === `${ownOrigin.split('//')[0]}//${host}`;
}
