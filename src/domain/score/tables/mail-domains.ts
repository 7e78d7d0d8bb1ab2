import { readWordSets } from '../../words/word-table.ts';

const table = readWordSets(new URL('mail-domains.txt', import.meta.url), [
  'free',
  'relay',
  'free subdomains',
  'reserved',
  'reserved endings',
  'roles',
  'test words',
]);

export const freeDomains = table.free;
export const relayDomains = table.relay;
/** Services that give anyone a name under these domains. */
export const freeSubdomainHosts = table['free subdomains'];
export const reservedDomains = table.reserved;
export const reservedSuffixes = table['reserved endings'];
export const roleNames = table.roles;
export const testWords = table['test words'];
