import { Problem } from './problem.ts';

/**
 * Refuses what another site makes a browser do in the name of the person who uses it. Browsers say where a call
 * comes from in `Sec-Fetch-Site` and `Origin`, and no page can change either: each that is there must name this
 * service, and one must be there. Reading is free, since another site cannot see the answer.
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
      `Call this from a page at ${ownOrigin}, or with the operator key. Behind a proxy, set PUBLIC_URL to the address that people use.`,
    );
  }
}

/** A service has more names than the one it was told, such as localhost; the one in the address bar is in `Host`. */
function isOwnOrigin(origin: string, host: string | null, ownOrigin: string): boolean {
  if (origin === ownOrigin) return true;
  return host !== null && origin === `${ownOrigin.split('//')[0]}//${host}`;
}
