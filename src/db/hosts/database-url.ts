import { isIPv6 } from 'node:net';

/** One server. A host that begins with a slash is the folder of a Unix socket. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

export interface DatabaseUrl {
  /** Empty when the driver reads the host from the URL itself and any server will do. */
  readonly hosts: readonly Host[];
  /** What the driver gets. With hosts, it names another host, which every connection replaces by one of them. */
  readonly url: string;
}

/** Says what is wrong with a URL, after "DATABASE_URL: ". Never quotes it: any part may be part of a password. */
export class DatabaseUrlError extends Error {}

const form = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?$/;
const defaultPort = 5432;
const portMax = 65_535;
const writingTargets = new Set(['read-write', 'primary']);
// Also stands in for a list that the driver cannot read.
const anyHost = 'localhost';

/**
 * Reads a URL as libpq does: several hosts with commas between them, each with its own port. A URL with one host and
 * without target_session_attrs is left to the driver, and so is whatever the driver makes of it.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme = '', authority = '', path = '', query = ''] = form.exec(text) ?? [];
  if (scheme === '') throw new DatabaseUrlError(`must start with postgres:// and have no #; ${escapes}`);
  if (!authority.includes('@') && `${path || query}`.includes('@')) throw new DatabaseUrlError(escapes);
  const userEnd = authority.lastIndexOf('@') + 1;
  const places = authority.slice(userEnd).split(',');
  const isList = places.length > 1;
  const isFollowing = checkParameters(query, isList) || isList;
  const hosts =
    authority.length > userEnd
      ? places.map((place, index) => hostOf(place, isList ? ` of host ${index + 1}` : ''))
      : [hostIn(query)];
  if (!isFollowing) return { hosts: [], url: text };
  checkStrictly(text, authority, path);
  const url = `${scheme}${authority.slice(0, userEnd)}${anyHost}${path}${withoutTarget(query)}`;
  return { hosts: hosts.filter(isFirst), url };
}

const escapes = 'write / ? # and @ in a password as %2F %3F %23 and %40';

/** True when the URL asks for a server that accepts writes. */
function checkParameters(query: string, isList: boolean): boolean {
  const parameters = new URLSearchParams(query);
  if (parameters.get('host')?.includes(',') || parameters.get('port')?.includes(','))
    throw new DatabaseUrlError('write several hosts as postgres://a:5432,b:5432/db, not as ?host=a,b');
  if (isList && (parameters.has('host') || parameters.has('port')))
    throw new DatabaseUrlError('cannot have several hosts and the parameter host or port');
  const targets = parameters.getAll('target_session_attrs');
  if (targets.some((target) => !writingTargets.has(target)))
    throw new DatabaseUrlError('target_session_attrs must be read-write or primary, because Leadgate writes');
  return targets.length > 0;
}

/** A URL may name the folder of a socket as a parameter. Without any host, the driver uses this machine. */
function hostIn(query: string): Host {
  const parameters = new URLSearchParams(query);
  return { host: parameters.get('host') || anyHost, port: portOf(parameters.get('port') ?? '', '') };
}

/** Lists are new, so nothing that worked before is refused here. */
function checkStrictly(text: string, authority: string, path: string): void {
  if (authority.indexOf('@') !== authority.lastIndexOf('@'))
    throw new DatabaseUrlError(`has more than one @; ${escapes}`);
  if (/%(?![0-9a-f]{2})/i.test(text))
    throw new DatabaseUrlError('has a % without two hex digits; write % as %25');
  if (path.length < 2) throw new DatabaseUrlError('has no database name; write postgres://a:5432,b:5432/db');
}

function hostOf(place: string, which: string): Host {
  const [, bracketed, plain = '', port = ''] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/.exec(place) ?? [];
  if (place.includes(':') && !place.startsWith('[') && place.indexOf(':') !== place.lastIndexOf(':'))
    throw new DatabaseUrlError('an IPv6 address must be in brackets, as in postgres://[::1]:5432/db');
  if (bracketed !== undefined && !isIPv6(bracketed))
    throw new DatabaseUrlError(`the address in brackets${which} is not an IPv6 address`);
  const host = bracketed ?? decoded(plain);
  if (host === '' || /[\s@\\]/.test(host))
    throw new DatabaseUrlError(`the name${which || ' of the host'} is empty or invalid`);
  return { host, port: portOf(port, which) };
}

function portOf(text: string, which: string): number {
  const port = text === '' ? defaultPort : Number(text);
  // Digits only, because Number accepts other forms too.
  if (!/^\d*$/.test(text) || port < 1 || port > portMax)
    throw new DatabaseUrlError(`the port${which} must be a number from 1 to ${portMax}`);
  return port;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The driver's reading decides for a single host; the check for lists follows.
    return text;
  }
}

function withoutTarget(query: string): string {
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !parameter.startsWith('target_session_attrs='));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

function isFirst({ host, port }: Host, index: number, all: readonly Host[]): boolean {
  return all.findIndex((other) => other.host === host && other.port === port) === index;
}

/** The same database with the same role, on another server. */
export function atHost(databaseUrl: string, host: string, port: number): string {
  const [, scheme = '', authority = '', path = '', query = ''] = form.exec(databaseUrl) ?? [];
  const user = authority.slice(0, authority.lastIndexOf('@') + 1);
  const kept = query
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !/^(?:host|port|target_session_attrs)=/.test(parameter));
  const name = host.startsWith('/') ? encodeURIComponent(host) : host;
  const place = isIPv6(host) ? `[${host}]` : name;
  return `${scheme}${user}${place}:${port}${path}${kept.length === 0 ? '' : `?${kept.join('&')}`}`;
}

/** The host as people write it, without user and password. */
export function nameOf({ host, port }: Host): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
