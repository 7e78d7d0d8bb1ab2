import { isIP, isIPv6 } from 'node:net';

/**
 * Who sent a request. Every proxy in front appends the address it was called from, so of `X-Forwarded-For` only the
 * last `proxyCount` entries are true; what stands before them, senders can have written themselves. Should more proxies be
 * trusted than there are, the sender chooses the entry: so what is no address is left out, or any text could get into the logs.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  proxyCount: number,
): string {
  const addresses = (forwardedFor ?? '').split(',').map((address) => address.trim());
  const forwarded = proxyCount === 0 ? '' : (addresses.at(-proxyCount) ?? addresses[0]);
  return forwarded ? plainAddress(forwarded) : (socketAddress ?? '');
}

/** Without the port that some proxies add, and without a zone, which may be any text; '' for what is no address. */
function plainAddress(text: string): string {
  const address = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const [plain = ''] = address.split('%');
  return isIP(plain) === 0 ? '' : plain;
}

/** What limits are counted by: an IPv4 address, or the /64 that one IPv6 subscriber has to themselves. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16));
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
