import { isIP, isIPv6 } from 'node:net';

/**
 * The address that sent a request. Every proxy appends the address it was called from, so only the last `proxyCount` entries
 * of `X-Forwarded-For` can be trusted; senders may have written the others. If more proxies are configured than exist, the
 * sender chooses the entry, so anything but an address is dropped: otherwise any text could get into the logs.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  proxyCount: number,
): string {
  if (proxyCount === 0) return socketAddress ?? '';
  const addresses = (forwardedFor ?? '').split(',').map((address) => address.trim());
  const forwarded = addresses.at(-proxyCount) ?? addresses[0];
  return forwarded ? plainAddress(forwarded) : (socketAddress ?? '');
}

/** A request of which only the sender and the list of headers are read. */
export interface Addressed {
  readonly rawHeaders: readonly string[];
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The same, of a request. */
export function addressOf({ socket, rawHeaders }: Addressed, proxyCount: number): string {
  const forwardedFor = proxyCount === 0 ? undefined : forwardedForIn(rawHeaders);
  return clientAddress(socket.remoteAddress, forwardedFor, proxyCount);
}

/** Several headers are one list. Not from Node's object of all headers, which it makes when it is first asked for. */
function forwardedForIn(rawHeaders: readonly string[]): string {
  const isForwardedFor = (_: string, at: number) =>
    at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'x-forwarded-for';
  return rawHeaders.filter(isForwardedFor).join(', ');
}

/** As people write it: sockets show an IPv4 address as IPv6, and a zone means nothing elsewhere. */
export function shownAddress(address: string): string {
  const [plain = ''] = address.split('%', 1);
  return mapped.exec(plain)?.[1] ?? plain;
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Without the port that some proxies add, and without a zone, which may be any text; '' for anything but an address. */
function plainAddress(text: string): string {
  const address = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const [plain = ''] = address.split('%');
  return isIP(plain) === 0 ? '' : plain;
}

/** The key of limits: an IPv4 address, or the /64 network of an IPv6 subscriber. */
export function networkOf(address: string): string {
  const inIpv6 = mapped.exec(address)?.[1];
  if (inIpv6 !== undefined) return inIpv6;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16));
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
