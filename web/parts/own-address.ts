/**
 * The path of ours that a given address leads to, or the start page. Parsed as the browser would parse it: it drops tabs
 * and line breaks and takes a backslash for a slash, so what looks like a path may name another host.
 */
export function ownAddress(given: string | undefined, origin: string): string {
  const url = given === undefined ? null : URL.parse(given, origin);
  // Addresses such as blob:https://… have an origin too, and a path that is none.
  if (url === null || url.origin !== origin || !/^https?:$/.test(url.protocol)) return '/';
  // "/x/..//evil.example" is left as "//evil.example", which is a host again for whoever parses it next.
  return `${url.pathname.replace(/^\/+/, '/')}${url.search}`;
}

const tokenOf = (text: string) => new URLSearchParams(text).get('token');

/**
 * An address with the token of its link behind the #, which browsers do not send, and no more in the query, where
 * proxies, histories and logs keep it; null where it is in place. Our links have it there, but an earlier version handed
 * it to the sign-in page in `to`.
 */
export function withTokenHidden(address: string): string | null {
  const url = new URL(address);
  const [target = '', fragment = ''] = (url.searchParams.get('to') ?? '').split('#', 2);
  const exposed = url.searchParams.get('token') ?? tokenOf(fragment);
  if (exposed === null) return null;
  url.searchParams.delete('token');
  if (target !== '') url.searchParams.set('to', target);
  url.hash = new URLSearchParams({ token: tokenOf(url.hash.slice(1)) ?? exposed }).toString();
  return url.href;
}
