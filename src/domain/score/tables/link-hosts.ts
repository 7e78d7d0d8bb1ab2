import { readWordSets } from '../../words/word-table.ts';

const hosts = readWordSets(new URL('link-hosts.txt', import.meta.url), [
  'bare',
  'bare with path',
  'shorteners',
  'chats',
  'free hosting',
  'site builders',
  'tracking',
  'well known',
  'known in every country',
  'brands',
  'short brands',
  'brand words',
  'bait',
  'weak bait',
  'strong bait',
  'plain words',
  'cheap',
]);

/** Endings that turn a name in a sentence into a link; the second set only if a path follows. */
export const bareLinkDomains = hosts.bare;
export const bareLinkDomainsWithPath = hosts['bare with path'];
export const cheapDomains = hosts.cheap;

/** What is known of a host by its name. `unknown` is the site of anybody. */
export type HostKind = 'known' | 'builder' | 'free' | 'short' | 'chat' | 'unknown';

/** By an ending of the host. */
export const listedHosts: ReadonlyMap<string, HostKind> = kindsByHost([
  ['short', hosts.shorteners],
  ['chat', hosts.chats],
  ['free', hosts['free hosting']],
  ['builder', hosts['site builders']],
  ['known', hosts.tracking],
  ['known', hosts['well known']],
]);
export const knownInEveryCountry = hosts['known in every country'];

export const brands = hosts.brands;
export const shortBrands = hosts['short brands'];
export const brandWords = hosts['brand words'];
export const bait = hosts.bait;
export const weakBait = hosts['weak bait'];
export const strongBait = hosts['strong bait'];
/** They start like bait, so a search for bait must find them first. */
export const plainWords = hosts['plain words'];

function kindsByHost(lists: readonly (readonly [HostKind, ReadonlySet<string>])[]): Map<string, HostKind> {
  const kinds = new Map<string, HostKind>();
  for (const [kind, names] of lists) {
    for (const name of names) {
      if (kinds.has(name)) throw new Error(`link-hosts.txt: ${name} is listed twice`);
      kinds.set(name, kind);
    }
  }
  return kinds;
}
