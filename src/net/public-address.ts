import { BlockList, isIP } from 'node:net';

/** The IANA special-purpose ranges, those that map back to IPv4, and the address of Azure's own service in each machine. */
const specialV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 168.63.129.16/32 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32`;
// In IPv6, only the allocated global range is public; these are exceptions within it.
const globalV6 = '2000::/3';
const specialV6 = `2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20`;

const special = new BlockList();
const global = new BlockList();
addAll(special, specialV4, 'ipv4');
addAll(special, specialV6, 'ipv6');
addAll(global, globalV6, 'ipv6');

/** True if an address is on the public Internet, so that connecting to it cannot reach a private network. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  // A zone, as in fe80::1%eth0, only exists inside a network.
  return (
    family === 6 && !address.includes('%') && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
  );
}

function addAll(list: BlockList, ranges: string, family: 'ipv4' | 'ipv6'): void {
  for (const range of ranges.trim().split(/\s+/)) {
    const [network, bits] = range.split('/') as [string, string];
    list.addSubnet(network, Number(bits), family);
  }
}
