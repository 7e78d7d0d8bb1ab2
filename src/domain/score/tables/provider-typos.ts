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
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789-';

/** From what is typed to what is meant. */
export function buildTypoTable(): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  const real = new Set(providers);
  for (const provider of providers) {
    for (const slip of slipsOf(provider)) {
      if (!real.has(slip) && !exempt.has(slip) && !freeDomains.has(slip)) table.set(slip, provider);
    }
  }
  return table;
}

function* slipsOf(provider: string): Generator<string> {
  const dot = provider.indexOf('.');
  const name = provider.slice(0, dot);
  const ending = provider.slice(dot + 1);
  if (name.length >= nameLettersMin) {
    for (const slip of oneEditFrom(name)) if (/^[a-z0-9].*[a-z0-9]$/.test(slip)) yield `${slip}.${ending}`;
  }
  for (const slip of endingSlips[ending]?.split(' ') ?? []) yield `${name}.${slip}`;
}

/** A letter left out, added, replaced, or two swapped. */
function* oneEditFrom(name: string): Generator<string> {
  for (let at = 0; at <= name.length; at++) {
    const head = name.slice(0, at);
    for (const letter of letters) {
      yield head + letter + name.slice(at);
      if (at < name.length) yield head + letter + name.slice(at + 1);
    }
    if (at < name.length) yield head + name.slice(at + 1);
    if (at + 1 < name.length) yield head + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
  }
}
