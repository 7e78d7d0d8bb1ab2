import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { destinationLimits } from '../../domain/destination/destination.ts';
import { isPublicHost } from '../egress-target.ts';
import { isPublicAddress } from '../public-address.ts';
import { type AllowList, familyName } from './allow-list.ts';

/** Why leads are not sent to a URL, in words for its owner. */
export const urlRefusals = {
  url_too_long: `The URL has more than ${destinationLimits.urlCharacters} characters.`,
  not_a_url: 'This is not a URL. A valid one is, for example, https://example.com/leads.',
  scheme_not_allowed: 'The URL must start with https://.',
  credentials_in_url: 'The URL contains a user name or a password. Send them in a header instead.',
  fragment_in_url: 'The URL contains a #. Remove it and what follows.',
  port_not_allowed: 'The URL has a port that is not allowed. Use a port from 1 to 65535.',
  dot_after_host: 'The host ends with a dot. Remove it.',
  odd_notation:
    'The host is an IP address in an unusual notation. Write it in the usual one, or use a host name.',
  own_port: 'The URL leads to Leadgate itself or its database, which cannot receive leads.',
  host_not_public:
    'The host is not on the public Internet. Only the operator of this service can allow it, with DELIVER_ALLOW.',
  address_not_public:
    'The host has a private or reserved IP address. Only the operator of this service can allow it, with DELIVER_ALLOW.',
  https_required:
    'The URL must start with https://. Only the operator of this service can allow http, with DELIVER_ALLOW.',
} as const;
export type UrlRefusal = keyof typeof urlRefusals;

export interface DeliveryTarget {
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** True if the operator opened this host or address. The addresses that it resolves to may be private then. */
  readonly isListed: boolean;
  /** True if it is listed by its name. */
  readonly isListedName: boolean;
}

export interface CheckedAddress {
  readonly address: string;
  readonly isListed: boolean;
}

export interface GuardDeps {
  readonly allow: AllowList;
  /** On which the service listens. Refused on every address of this machine, even if listed. */
  readonly ownPorts: () => readonly number[];
  /** Where senders and people reach the service. A destination there would send its leads to us, again and again. */
  readonly publicUrl: string | null;
  /** Refused on every address that is not public, even if listed. */
  readonly databasePorts: readonly number[];
  readonly ownAddresses?: () => readonly string[];
}

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 };
const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i;
const parsedMax = 1_000;
const loopbackName = /(?:^|\.)localhost$/;
const loopbackAddresses = ['127.0.0.1', '::1'];

// The unspecified addresses lead to this machine, too.
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addSubnet('0.0.0.0', 8, 'ipv4');
loopback.addSubnet('::', 127, 'ipv6');

/** Which URLs leads may be sent to. The same rules apply when a URL is saved and whenever something is sent to it. */
export class DeliveryGuard {
  readonly #allow: AllowList;
  readonly #ownPorts: () => readonly number[];
  readonly #databasePorts: readonly number[];
  readonly #publicOrigin: string | null;
  readonly #ownAddresses: () => readonly string[];
  /** The same few URLs are checked for each delivery. */
  readonly #parsed = new Map<string, URL | UrlRefusal>();

  constructor(deps: GuardDeps) {
    this.#allow = deps.allow;
    this.#ownPorts = deps.ownPorts;
    this.#databasePorts = deps.databasePorts;
    this.#publicOrigin = deps.publicUrl === null ? null : new URL(deps.publicUrl).origin;
    this.#ownAddresses = deps.ownAddresses ?? machineAddresses;
  }

  /** Before any name is resolved. */
  check(text: string): DeliveryTarget | UrlRefusal {
    const url = this.#parse(text);
    if (typeof url === 'string') return url;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port === '' ? (defaultPorts[url.protocol] as number) : Number(url.port);
    const isAddress = isIP(host) !== 0;
    const known = isAddress ? [host] : loopbackName.test(host) ? loopbackAddresses : [];
    if (known.some((address) => this.#isOwn(address, port))) return 'own_port';
    const isSecure = url.protocol === 'https:';
    const isListedName = !isAddress && this.#allow.hasHost(host, port);
    const isListed = isListedName || known.some((address) => this.#allow.hasAddress(address, port));
    const target = { url, host, port, isSecure, isListed, isListedName };
    if (isListed) return target;
    if (url.origin === this.#publicOrigin) return 'own_port';
    if (isAddress && !isPublicAddress(host)) return 'address_not_public';
    if (!isAddress && !isPublicHost(host)) return 'host_not_public';
    return isSecure ? target : 'https_required';
  }

  /**
   * The address to connect to, once the name is resolved. One address that is not allowed is enough to refuse all of them:
   * the name would lead to it another time.
   */
  checkAddresses(target: DeliveryTarget, addresses: readonly string[]): CheckedAddress | UrlRefusal {
    const { port, isListedName } = target;
    for (const address of addresses) {
      // A zone, as in fe80::1%eth0, only exists inside a network.
      if (isIP(address) === 0 || address.includes('%')) return 'address_not_public';
      if (this.#isOwn(address, port)) return 'own_port';
      if (!isListedName && !isPublicAddress(address) && !this.#allow.hasAddress(address, port))
        return 'address_not_public';
    }
    const address = addresses[0];
    if (address === undefined) return 'address_not_public';
    return { address, isListed: target.isListed || this.#allow.hasAddress(address, port) };
  }

  /** The addresses of a host that needs no name server; null for all others. */
  knownAddresses({ host, port, isListedName }: DeliveryTarget): readonly string[] | null {
    if (isIP(host) !== 0) return [host];
    // Only one of the two may be listed.
    if (isListedName || !loopbackName.test(host)) return null;
    return loopbackAddresses.filter((address) => this.#allow.hasAddress(address, port));
  }

  #parse(text: string): URL | UrlRefusal {
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    if (this.#parsed.size >= parsedMax) this.#parsed.clear();
    const url = parse(text);
    this.#parsed.set(text, url);
    return url;
  }

  #isOwn(address: string, port: number): boolean {
    if (this.#databasePorts.includes(port) && !isPublicAddress(address)) return true;
    return this.#ownPorts().includes(port) && isOnThisMachine(address, this.#ownAddresses);
  }
}

function parse(text: string): URL | UrlRefusal {
  if (text.length > destinationLimits.urlCharacters) return 'url_too_long';
  // The parser drops or replaces these, so that people and it read different URLs.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'not_a_url';
  const url = new URL(text);
  if (defaultPorts[url.protocol] === undefined) return 'scheme_not_allowed';
  const typed = authority.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return 'not_a_url';
  if (typed.includes('@')) return 'credentials_in_url';
  if (text.includes('#')) return 'fragment_in_url';
  if (url.port === '0') return 'port_not_allowed';
  const typedHost = typed.replace(/:\d*$/, '');
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0)
    return typedHost === url.hostname ? url : 'odd_notation';
  if (url.hostname.endsWith('.')) return 'dot_after_host';
  return typedHost.includes('%') ? 'not_a_url' : url;
}

function isOnThisMachine(address: string, ownAddresses: () => readonly string[]): boolean {
  const family = familyName(isIP(address));
  if (loopback.check(address, family)) return true;
  const own = new BlockList();
  for (const one of ownAddresses()) own.addAddress(one, familyName(isIP(one)));
  return own.check(address, family);
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}
