import { freeDomains } from './mail-domains.ts';

/** Short names (aol, gmx, web) are left out of the slips in the name: too many companies are one letter away. */
const providers =
  `gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.co.uk hotmail.fr hotmail.de
  hotmail.it hotmail.es yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.co.jp yahoo.com.br yahoo.co.in icloud.com
  protonmail.com t-online.de freenet.de yandex.ru rediffmail.com wanadoo.fr laposte.net comcast.net verizon.net
  sbcglobal.net bellsouth.net btinternet.com bigpond.com seznam.cz libero.it virgilio.it ymail.com aol.com live.com
  msn.com gmx.de gmx.net web.de mail.ru`.split(/\s+/);
const nameLettersMin = 5;

/** One slip away from a big provider, and a provider or company itself. */
const exempt = new Set(
  `mail.com email.com fmail.com hmail.com smail.com tmail.com xmail.com zmail.com vmail.com kmail.com jmail.com gmaily.com
  gmails.com cloud.com clouds.com iclouds.com mcloud.com ecloud.com ucloud.com verizons.net outlooks.com yachoo.com
  protonmail.co wanadoo.es wanadoo.nl freeset.de treenet.de freenet.am libero.com yandex.net`.split(/\s+/),
);
/** How ".com" and its like go wrong. Endings that exist but are hardly meant are among them. */
const endingSlips: Readonly<Record<string, string>> = {
  com: 'con comm cm om co cmo ocm vom xom cim coom ccom cpm comn cok c0m',
  net: 'nett nte ner bet met',
  de: 'ded dee',
  fr: 'frr',
  ru: 'rru',
  it: 'itt',
};
const namesByEnding = new Map<string, string[]>();
const meantByEndingSlip = new Map<string, string>();
for (const provider of providers) {
  const dot = provider.indexOf('.');
  const [name, ending] = [provider.slice(0, dot), provider.slice(dot + 1)];
  if (name.length >= nameLettersMin) namesByEnding.set(ending, [...(namesByEnding.get(ending) ?? []), name]);
  for (const slip of endingSlips[ending]?.split(' ') ?? [])
    meantByEndingSlip.set(`${name}.${slip}`, provider);
}

/** The provider that was meant, for a domain that is one slip away from one. */
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

/** A letter left out, added, replaced, or two swapped. */
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
