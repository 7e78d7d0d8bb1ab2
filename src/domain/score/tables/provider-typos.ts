import { readWordSets } from '../../words/word-table.ts';
import { freeDomains } from './mail-domains.ts';

const { providers, exempt } = readWordSets(new URL('provider-typos.txt', import.meta.url), [
  'providers',
  'exempt',
]);
/** Misspelt endings. Some exist but are hardly ever meant. */
const endingSlips: Readonly<Record<string, string>> = {
  com: 'con comm cm om co cmo ocm vom xom cim coom ccom cpm comn cok c0m',
  net: 'nett nte ner bet met',
  de: 'ded dee',
  fr: 'frr',
  ru: 'rru',
  it: 'itt',
};
/** Shorter names (aol, gmx, web) are left alone: too many companies are one letter away. */
const nameLettersMin = 5;
const namesByEnding = new Map<string, string[]>();
const meantByEndingSlip = new Map<string, string>();
for (const provider of providers) {
  const dot = provider.indexOf('.');
  const [name, ending] = [provider.slice(0, dot), provider.slice(dot + 1)];
  if (name.length >= nameLettersMin) namesByEnding.set(ending, [...(namesByEnding.get(ending) ?? []), name]);
  for (const slip of endingSlips[ending]?.split(' ') ?? [])
    meantByEndingSlip.set(`${name}.${slip}`, provider);
}

/** The provider that was meant, for a domain that is one typo away from it. */
export function meantProvider(domain: string): string | null {
  if (freeDomains.has(domain) || exempt.has(domain)) return null;
  const byEnding = meantByEndingSlip.get(domain);
  if (byEnding !== undefined) return byEnding;
  const dot = domain.indexOf('.');
  const name = domain.slice(0, dot);
  const ending = domain.slice(dot + 1);
  for (const provider of namesByEnding.get(ending) ?? []) {
    if (isOneSlip(name, provider)) return `${provider}.${ending}`;
  }
  return null;
}

/** One letter missing, added or replaced, or two swapped. */
function isOneSlip(typed: string, meant: string): boolean {
  const longer = typed.length - meant.length;
  if (longer < -1 || longer > 1 || typed === meant) return false;
  let at = 0;
  while (at < typed.length && typed.charCodeAt(at) === meant.charCodeAt(at)) at++;
  if (longer === 1) return typed.slice(at + 1) === meant.slice(at);
  if (longer === -1) return typed.slice(at) === meant.slice(at + 1);
  if (typed.slice(at + 1) === meant.slice(at + 1)) return true;
  const isSwapped = typed[at] === meant[at + 1] && typed[at + 1] === meant[at];
  return isSwapped && typed.slice(at + 2) === meant.slice(at + 2);
}
