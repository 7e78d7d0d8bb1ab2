import { BlockList, isIP } from 'node:net';

/** Says what is wrong with a list, in words that follow "DELIVER_ALLOW: ". */
class AllowListError extends Error {}

const portMax = 65_535;
const addressBits = { 4: 32, 6: 128 } as const;
const hostName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/** Stands for an entry without a port. */
const anyPort = 0;

/**
 * What the operator opens for deliveries besides the public Internet. An address or a CIDR opens these addresses, whatever
 * host name leads to them. A host name opens every address that it resolves to.
 */
export class AllowList {
  readonly #hosts = new Set<string>();
  readonly #addresses = new Map<number, BlockList>();

  /** A list of addresses, CIDRs and host names with commas between them, each with or without a port. */
  constructor(text: string) {
    for (const entry of text.split(',').map((part) => part.trim().toLowerCase())) {
      if (entry !== '') this.#add(entry);
    }
  }

  hasHost(host: string, port: number): boolean {
    return this.#hosts.has(host) || this.#hosts.has(`${host}:${port}`);
  }

  hasAddress(address: string, port: number): boolean {
    const family = isIP(address);
    if (family === 0 || address.includes('%')) return false;
    const isIn = (list: BlockList | undefined) => list?.check(address, familyName(family)) === true;
    return isIn(this.#addresses.get(anyPort)) || isIn(this.#addresses.get(port));
  }

  #add(entry: string): void {
    // A URL would otherwise be refused for its port.
    if (entry.includes('://')) throw unknownPlace(entry);
    const [place, port] = withoutPort(entry);
    const [address = '', bits, ...rest] = place.split('/');
    const family = isIP(address);
    if (family === 0 || address.includes('%')) {
      if (!isHostName(place)) throw unknownPlace(entry);
      this.#hosts.add(port === anyPort ? place : `${place}:${port}`);
      return;
    }
    const bitsMax = addressBits[family as 4 | 6];
    if (rest.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax))) {
      throw new AllowListError(`"${entry}" must have a number from 0 to ${bitsMax} after the slash`);
    }
    const list = this.#addresses.get(port) ?? new BlockList();
    list.addSubnet(address, Number(bits ?? bitsMax), familyName(family));
    this.#addresses.set(port, list);
  }
}

function unknownPlace(entry: string): AllowListError {
  return new AllowListError(
    `"${entry}" is neither an IP address, a CIDR such as 10.0.5.0/24, nor a host name`,
  );
}

/** Why a list can never work; null when it can. */
export function allowListFlaw(text: string): string | null {
  try {
    new AllowList(text);
    return null;
  } catch (error) {
    if (error instanceof AllowListError) return error.message;
    throw error;
  }
}

export function familyName(family: number): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6';
}

/** `10.0.0.1:80`, `10.0.0.0/8:80`, `[fd00::1]:80`, `[fd00::]/8:80`, `host:80`, or any of them without the port. */
function withoutPort(entry: string): [place: string, port: number] {
  const bracketed = /^\[([^\]]*)\](\/\d+)?(?::(.*))?$/.exec(entry);
  if (bracketed !== null) {
    const [, address = '', bits = '', port] = bracketed;
    if (isIP(address) !== 6) throw new AllowListError(`"${entry}" has no IPv6 address between its brackets`);
    return [address + bits, portOf(port, entry)];
  }
  const parts = entry.split(':');
  // More colons are those of an IPv6 address.
  return parts.length === 2 ? [parts[0] as string, portOf(parts[1], entry)] : [entry, anyPort];
}

function portOf(text: string | undefined, entry: string): number {
  if (text === undefined) return anyPort;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > portMax)
    throw new AllowListError(`"${entry}" must have a port from 1 to ${portMax}`);
  return port;
}

/** What a URL parser reads as another host, such as 0x7f.1, would never match. */
function isHostName(text: string): boolean {
  const url = `http://${text}/`;
  return hostName.test(text) && URL.canParse(url) && new URL(url).hostname === text;
}
