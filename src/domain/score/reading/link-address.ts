import { domainToASCII } from 'node:url';

/** The parts of a link that tell where it leads. */
export interface LinkAddress {
  /** Lower case, without `www.`, port and closing dot; letters outside ASCII as punycode, so that it is safe to show. */
  readonly name: string;
  /** Empty if the link has none or a usual one. */
  readonly port: string;
  /** What stands before an `@` in front of the host. */
  readonly user: string;
  /** With query and fragment. */
  readonly path: string;
}

const linkCharactersMax = 300;
const nameCharactersMax = 255;
const schemeCharactersMax = 12;
const portShape = /^\d{0,5}$/;
const usualPorts = new Set(['', '80', '443']);

export function addressOf(link: string): LinkAddress {
  const scheme = link.indexOf('://');
  const from = scheme >= 0 && scheme <= schemeCharactersMax ? scheme + 3 : 0;
  const end = authorityEnd(link, from);
  const at = link.lastIndexOf('@', end - 1);
  const hostFrom = at >= from ? at + 1 : from;
  const colon = link.lastIndexOf(':', end - 1);
  const port = colon >= hostFrom ? link.slice(colon + 1, end) : '';
  const hasPort = colon >= hostFrom && portShape.test(port);
  return {
    name: plainName(link.slice(hostFrom, hasPort ? colon : end)),
    port: hasPort && !usualPorts.has(port) ? port : '',
    user: at >= from ? link.slice(from, at) : '',
    path: link.slice(end, linkCharactersMax),
  };
}

/** The host ends where path, query or fragment start. */
function authorityEnd(link: string, from: number): number {
  const most = Math.min(link.length, linkCharactersMax);
  for (let at = from; at < most; at++) {
    const code = link.charCodeAt(at);
    if (code === 47 || code === 63 || code === 35 || code === 92) return at;
  }
  return most;
}

/** The host alone: a path or query may contain what is nobody's business. */
export function shownHost({ name, port }: LinkAddress): string {
  return port === '' ? name : `${name}:${port}`;
}

function plainName(host: string): string {
  // A longer name does not exist; of its end, the most is known.
  const lower = host.slice(-nameCharactersMax).toLowerCase();
  const from = lower.startsWith('www.') ? 4 : 0;
  const name = lower.slice(from, lower.endsWith('.') ? -1 : undefined);
  if (/^[\x00-\x7f]*$/.test(name)) return name;
  return domainToASCII(name) || name.replace(/[^\x20-\x7e]+/g, '?');
}
