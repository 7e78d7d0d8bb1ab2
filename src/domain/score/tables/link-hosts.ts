import { readWordSets } from '../../words/word-table.ts';

const hosts = readWordSets(new URL('link-hosts.txt', import.meta.url), [
  'bare',
  'bare with path',
  'shorteners',
  'cheap',
]);

/** Endings that turn a name in a sentence into a link; the second set only if a path follows. */
export const bareLinkDomains = hosts.bare;
export const bareLinkDomainsWithPath = hosts['bare with path'];
export const shorteners = hosts.shorteners;
export const cheapDomains = hosts.cheap;
