import { parse } from 'tldts';
import type { ScoringData } from '../../data.ts';
import { type LinkAddress, shownHost } from '../../reading/link-address.ts';
import { hasCode, isTrap } from '../../reading/link-path.ts';
import { cheapDomains, type HostKind, knownInEveryCountry, listedHosts } from '../../tables/link-hosts.ts';
import { type HostName, type NameRank, nameRanks, rankName } from './link-names.ts';

/** A link, and what was found out about it. */
export interface JudgedLink {
  readonly field: string;
  /** As it is shown. */
  readonly host: string;
  /** `local` is a device or a computer in the sender's own network. */
  readonly kind: HostKind | 'local' | 'number';
  readonly isCheap: boolean;
  /** The host is written in an unusual way: a port, punycode, a name before an `@`. */
  readonly isOdd: boolean;
  /** The link looks as if it led to what is before the `@`, or nobody can read where it leads. */
  readonly isDisguised: boolean;
  readonly rank: NameRank;
  /** The path is nothing but a code, or contains a long one. */
  readonly hasCode: boolean;
  /** The path leads to a download or a folder for programs, or names an address to be filled in. */
  readonly hasTrap: boolean;
  /** The name that its owner chose. */
  readonly label: string;
}

const labelsListedMax = 5;
const numberShape = /^\[|^(?:0x[\da-f]+|\d+)(?:\.(?:0x[\da-f]+|\d+))*$/;
const privateNumber = /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|\[(?:::1|f[cde]))/;
const privateEndings = new Set(['local', 'localhost', 'internal', 'lan', 'home']);

export function judgeLink(address: LinkAddress, field: string, data: ScoringData): JudgedLink {
  const { name, path } = address;
  if (isPrivate(name)) return judged('local', address, field, name);
  if (isNumber(name)) return judged('number', address, field, name);
  const listed = listedEnding(name);
  const listedKind = listed === null ? 'unknown' : kindWithPath(listed, path);
  if (listedKind === 'known' || listedKind === 'short' || listedKind === 'chat')
    return judged(listedKind, address, field, name);
  const host = hostNameOf(name, listed, listedKind);
  const { label, isCheap } = host;
  if (listed === null && !isCheap && knownInEveryCountry.has(label))
    return judged('known', address, field, label);
  const kind = listedKind === 'unknown' && host.isRented ? 'builder' : listedKind;
  const rank = label === '' ? nameRanks.ordinary : rankName(host, data);
  return judged(kind, address, field, label, isCheap, rank, hasCode(path), isTrap(path));
}

function judged(
  kind: JudgedLink['kind'],
  address: LinkAddress,
  field: string,
  label: string,
  isCheap = false,
  rank: NameRank = nameRanks.ordinary,
  hasCode = false,
  hasTrap = false,
): JudgedLink {
  const { name, port, user } = address;
  const isOdd = kind !== 'local' && (port !== '' || user !== '' || name.includes('xn--'));
  const isDisguised = user.includes('.') || name.includes('%');
  const host = shownHost(address);
  return { field, host, kind, isCheap, isOdd, isDisguised, rank, hasCode, hasTrap, label };
}

function isPrivate(name: string): boolean {
  if (startsLikeNumber(name)) return privateNumber.test(name);
  return privateEndings.has(name.slice(name.lastIndexOf('.') + 1));
}

function isNumber(name: string): boolean {
  return startsLikeNumber(name) && numberShape.test(name);
}

function startsLikeNumber(name: string): boolean {
  const first = name.charCodeAt(0);
  return first <= 57 || first === 91;
}

/** The longest listed ending of a host. A host of hundreds of labels is looked up by its last ones only. */
function listedEnding(name: string): string | null {
  let from = name.length;
  for (let label = 0; label < labelsListedMax && from > 0; label++) from = name.lastIndexOf('.', from - 1);
  let ending = from <= 0 ? name : name.slice(from + 1);
  // A top-level domain alone is not listed.
  for (let dot = ending.indexOf('.'); dot >= 0; dot = ending.indexOf('.')) {
    if (listedHosts.has(ending)) return ending;
    ending = ending.slice(dot + 1);
  }
  return null;
}

/** Some well-known hosts also serve forms of anybody, or lead elsewhere. */
function kindWithPath(ending: string, path: string): HostKind {
  const kind = listedHosts.get(ending) ?? 'unknown';
  if (ending === 'google.com') {
    if (path.startsWith('/forms/')) return 'free';
    if (path.startsWith('/url?') || path.startsWith('/amp/')) return 'short';
  }
  return ending === 'goo.gl' && path.startsWith('/maps/') ? 'known' : kind;
}

interface RentedHost extends HostName {
  /** The public suffix list says that unrelated people have names there. */
  readonly isRented: boolean;
}

function hostNameOf(name: string, listed: string | null, kind: HostKind): RentedHost {
  if (listed !== null) {
    const own = name.length > listed.length ? name.slice(0, name.length - listed.length - 1) : '';
    const label = own.slice(own.lastIndexOf('.') + 1);
    const isFreeHosting = kind === 'free';
    return { name: own, label, suffix: listed, isCheap: false, isFreeHosting, isRented: false };
  }
  const dot = name.indexOf('.');
  const last = name.lastIndexOf('.');
  const isCheap = cheapDomains.has(name.slice(last + 1));
  if (dot >= 0 && dot === last) {
    const suffix = name.slice(dot + 1);
    return { name, label: name.slice(0, dot), suffix, isCheap, isFreeHosting: false, isRented: false };
  }
  const { domainWithoutSuffix, publicSuffix, isPrivate } = parse(name, parseOptions);
  const label = domainWithoutSuffix ?? name;
  const suffix = publicSuffix ?? '';
  return { name, label, suffix, isCheap, isFreeHosting: false, isRented: isPrivate === true };
}

const parseOptions = { allowPrivateDomains: true, extractHostname: false };
