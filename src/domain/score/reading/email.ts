import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { getDomain } from 'tldts';
import { abuseDomains } from '../models/abuse-domains.ts';
import {
  freeDomains,
  freeSubdomainHosts,
  relayDomains,
  reservedDomains,
  reservedSuffixes,
} from '../tables/mail-domains.ts';

export interface EmailAddress {
  readonly local: string;
  readonly domain: string;
}

export type EmailClass = 'business' | 'free' | 'edu' | 'gov' | 'relay' | 'disposable' | 'reserved';

const localShape = /^[^\s@<>(),;:\\"[\]]{1,64}$/u;
const domainShape =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;
const addressCharactersMax = 254;
// Most addresses are plain ASCII and skip the slower Unicode patterns.
const plainShape =
  /^[a-z0-9][a-z0-9_+-]*(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;
const plainCharactersMax = 64;
/** More than a thousand domains of one free provider. */
const mail2World = /^mail2[a-z]+\.com$/;

export interface DomainList {
  has(domain: string): boolean;
}

/** The services themselves: short, and updated with the package. */
export const disposableServices: DomainList = disposableEmailBlocklistSet();
/** Also what longer lists have collected from abuse of forms and forums over the years. */
export const disposableDomains: DomainList = {
  has: (domain) => disposableServices.has(domain) || abuseDomains.has(domain),
};

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

/** `acme.co.uk` for `mail.acme.co.uk`: the part that someone registered, or rents under a shared suffix. */
export function registrableDomain(domain: string): string {
  // A domain of two labels is already registrable.
  if (domain.indexOf('.') === domain.lastIndexOf('.')) return domain;
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

/** True for a name that someone got free of charge, without registering a domain: `x.dynv6.net`. */
export function isFreeSubdomain(registrable: string): boolean {
  return (
    freeSubdomainHosts.has(registrable) ||
    freeSubdomainHosts.has(registrable.slice(registrable.indexOf('.') + 1))
  );
}

/** A subdomain of a disposable domain is disposable too, so lists are matched by registrable domain. */
export function classifyDomain(
  domain: string,
  disposable: DomainList = disposableDomains,
  registrable: string = registrableDomain(domain),
): EmailClass {
  // First, because public lists of disposable domains also contain free providers and forwarding services.
  if (isIn(freeDomains, domain, registrable)) return 'free';
  if (isIn(relayDomains, domain, registrable)) return 'relay';
  if (isIn(disposable, domain, registrable) || isUnderListed(domain, registrable, disposable))
    return 'disposable';
  if (isOfMail2World(registrable) || isFreeSubdomain(registrable)) return 'free';
  const ending = domain.slice(domain.lastIndexOf('.') + 1);
  if (reservedDomains.has(registrable) || reservedSuffixes.has(ending)) return 'reserved';
  return institutionOf(domain, ending) ?? 'business';
}

function isIn(list: DomainList, domain: string, registrable: string): boolean {
  return list.has(registrable) || (domain !== registrable && list.has(domain));
}

function isOfMail2World(domain: string): boolean {
  return domain.startsWith('mail2') && mail2World.test(domain);
}

/** Some lists name hosts between the registrable domain and the full domain. */
function isUnderListed(domain: string, registrable: string, disposable: DomainList): boolean {
  let rest = domain;
  while (rest.length > registrable.length + 1) {
    rest = rest.slice(rest.indexOf('.') + 1);
    if (disposable.has(rest)) return true;
  }
  return false;
}

function institutionOf(domain: string, ending: string): 'edu' | 'gov' | null {
  if (ending === 'edu') return 'edu';
  if (ending === 'gov' || ending === 'mil') return 'gov';
  // Only under the ending of a country.
  if (ending.length !== 2 || domain.indexOf('.') === domain.lastIndexOf('.')) return null;
  if (/\.(?:edu|ac)\.[a-z]{2}$/.test(domain)) return 'edu';
  return /\.(?:gov|gob|gouv|gv|mil)\.[a-z]{2}$/.test(domain) ? 'gov' : null;
}
