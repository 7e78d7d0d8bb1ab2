import type { IncomingMessage } from 'node:http';
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

/** The same, of a request as Node gives it. */
export function addressOf(request: IncomingMessage, proxyCount: number): string {
  // Node makes an object of all headers when they are first asked for.
  const forwardedFor = proxyCount === 0 ? undefined : request.headers['x-forwarded-for']?.toString();
  return clientAddress(request.socket.remoteAddress, forwardedFor, proxyCount);
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
