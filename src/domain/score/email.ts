import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { getDomain } from 'tldts';

export interface EmailAddress {
  readonly local: string;
  readonly domain: string;
}

export type EmailClass = 'business' | 'free' | 'disposable';

const localShape = /^[^\s@<>(),;:\\"[\]]{1,64}$/u;
const domainShape =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;
const addressCharactersMax = 254;
// Most addresses are plain; for them the rules need no tables of Unicode properties.
const plainShape =
  /^[a-z0-9][a-z0-9_+-]*(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;
const plainCharactersMax = 64;

const disposableDomains = disposableEmailBlocklistSet();
// Written by hand: published lists of free providers are full of disposable ones.
const freeDomains = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.fr hotmail.de live.com msn.com yahoo.com
  yahoo.co.uk yahoo.fr yahoo.de yahoo.co.jp ymail.com icloud.com me.com mac.com aol.com proton.me protonmail.com
  pm.me gmx.de gmx.net gmx.com gmx.at gmx.ch web.de t-online.de freenet.de mail.com mail.ru yandex.ru yandex.com
  qq.com 163.com 126.com sina.com naver.com daum.net orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it
  virgilio.it tiscali.it terra.es hotmail.es uol.com.br bol.com.br wp.pl o2.pl onet.pl interia.pl seznam.cz
  bluewin.ch telenet.be ziggo.nl kpnmail.nl fastmail.com hey.com tutanota.com tuta.io zoho.com rediffmail.com
  comcast.net verizon.net att.net sbcglobal.net cox.net bigpond.com btinternet.com sky.com talktalk.net`.split(
    /\s+/,
  ),
);

export function parseEmail(text: string): EmailAddress | null {
  const address = text.trim();
  if (address.length > addressCharactersMax) return null;
  const at = address.lastIndexOf('@');
  if (address.length <= plainCharactersMax && plainShape.test(address)) {
    return { local: address.slice(0, at), domain: address.slice(at + 1).toLowerCase() };
  }
  const local = address.slice(0, at);
  const domain = address.slice(at + 1).toLowerCase();
  if (at < 1 || !localShape.test(local) || !domainShape.test(domain)) return null;
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return null;
  return { local, domain };
}

/** A sub-domain of a throw-away service is one too, so lists are matched by registrable domain. */
export function classifyDomain(domain: string): EmailClass {
  if (disposableDomains.has(domain)) return 'disposable';
  if (freeDomains.has(domain)) return 'free';
  // Nothing is registered above a domain of two labels.
  if (domain.indexOf('.') === domain.lastIndexOf('.')) return 'business';
  const registrable = getDomain(domain, { allowPrivateDomains: true }) ?? domain;
  if (disposableDomains.has(registrable)) return 'disposable';
  return freeDomains.has(registrable) ? 'free' : 'business';
}
