/**
 * The path on our origin that a URL leads to, or the start page. It is parsed as a browser parses it: browsers drop tabs
 * and line breaks and treat a backslash as a slash, so what looks like a path may name another host.
 */
export function ownAddress(given: string | undefined, origin: string): string {
  const url = given === undefined ? null : URL.parse(given, origin);
  // URLs such as blob:https://… have an origin too, but no real path.
  if (url === null || url.origin !== origin || !/^https?:$/.test(url.protocol)) return '/';
  // "/x/..//evil.example" becomes "//evil.example", which the next parser would take for a host.
  return `${url.pathname.replace(/^\/+/, '/')}${url.search}`;
}

const tokenOf = (text: string) => new URLSearchParams(text).get('token');

/**
 * The URL with its token moved from the query, where proxies, histories and logs keep it, to the fragment, which browsers
 * do not send; null if there is nothing to move. Our links use the fragment, but an earlier version passed the token to
 * the sign-in page in `to`.
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
