import { parse } from 'tldts';

export type TargetFault =
  | 'not_a_url'
  | 'scheme_not_allowed'
  | 'port_not_allowed'
  | 'credentials_in_url'
  | 'host_not_public';

const urlCharactersMax = 2_000;
const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

// Public suffixes whose names do not resolve to hosts on the Internet.
const notOnTheInternet = /(?:^|\.)(?:arpa|onion)$/;

/**
 * Whether a URL may be fetched at all, before any name is resolved: http or https on the default port, no credentials,
 * and a host under a public suffix. The last rules out IP addresses in every notation (the URL parser converts
 * decimal and octal ones), single labels, and names that only exist inside a network.
 */
export function checkTarget(text: string): URL | TargetFault {
  if (text.length > urlCharactersMax || !URL.canParse(text)) return 'not_a_url';
  const url = new URL(text);
  const defaultPort = defaultPorts[url.protocol];
  if (defaultPort === undefined) return 'scheme_not_allowed';
  if (url.port !== '' && url.port !== defaultPort) return 'port_not_allowed';
  if (url.username !== '' || url.password !== '') return 'credentials_in_url';
  return isPublicHost(url.hostname) ? url : 'host_not_public';
}

export function isPublicHost(host: string): boolean {
  const { domain, isIp, isIcann, isPrivate, publicSuffix } = parse(host, { allowPrivateDomains: true });
  if (isIp || domain === null || host.endsWith('.')) return false;
  const isListed = isIcann === true || isPrivate === true;
  return isListed && !notOnTheInternet.test(publicSuffix ?? '');
}
