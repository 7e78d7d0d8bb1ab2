import { parse } from 'tldts';

export type TargetFault =
  | 'not_a_url'
  | 'scheme_not_allowed'
  | 'port_not_allowed'
  | 'credentials_in_url'
  | 'host_not_public';

const urlCharactersMax = 2_000;
const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' };

// In the list of public suffixes, and yet not names that the Internet resolves to hosts.
const notOnTheInternet = /(?:^|\.)(?:arpa|onion)$/;

/**
 * Whether an address may be asked for at all, before any name is resolved: http or https on their own ports, no
 * credentials, and a host below a public suffix. The last rules out literal addresses in every notation (the URL
 * parser turns decimal and octal ones into dotted ones), single labels, and names that only exist inside a network.
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
