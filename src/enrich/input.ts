import { domainToASCII } from 'node:url';
import { getDomain } from 'tldts';
import { isPublicHost } from '../domain/egress-target.ts';
import type { LeadFields } from '../domain/lead.ts';
import { classifyDomain, parseEmail } from '../domain/score/email.ts';
import { recogniseFields } from '../domain/score/fields.ts';
import { countryOf } from './country-names.ts';
import { type ExtraKind, recogniseExtras } from './fields.ts';
import { type InputPhone, readPhone } from './phone-number.ts';

export interface InputEmail {
  readonly local: string;
  readonly domain: string;
  readonly class: string;
}

/** A lead as providers see it: read once, with what was typed and what it plainly means. */
export interface Input {
  readonly email: InputEmail | null;
  /** The registrable domain of the company, in ASCII; null for free mail without a web site. */
  readonly domain: string | null;
  readonly domainFrom: 'email' | 'website' | null;
  /** The whole domain of an address at a company, in ASCII. */
  readonly mailDomain: string | null;
  readonly name: string | null;
  readonly company: string | null;
  readonly phone: InputPhone | null;
  /** The country typed, as two letters. */
  readonly country: string | null;
  readonly website: URL | null;
  readonly extras: ReadonlyMap<ExtraKind, string>;
}

/** The classes of address whose domain says where somebody works. */
const companyClasses: ReadonlySet<string> = new Set(['business', 'institution']);

// A page on one of these is somebody's web site, but the domain is not their company.
const platforms = new Set(
  `facebook.com instagram.com linkedin.com youtube.com youtu.be x.com twitter.com github.com google.com goo.gl
  tiktok.com pinterest.com linktr.ee t.me wa.me medium.com xing.com vk.com bit.ly amazon.com etsy.com`.split(
    /\s+/,
  ),
);

export function readInput(fields: LeadFields): Input {
  const recognised = recogniseFields(fields);
  const firstOf = (kind: string) => recognised.find((field) => field.kind === kind)?.value.trim() ?? null;
  const extras = recogniseExtras(fields);
  const email = readEmail(firstOf('email'));
  const website = readWebsite(extras.get('website'));
  const ofEmail = email !== null && companyClasses.has(email.class) ? registrableOf(email.domain) : null;
  const ofWebsite = ofEmail === null && website !== null ? companySite(website) : null;
  const domain = ofEmail ?? ofWebsite;
  const country = countryOf(extras.get('country'));
  return {
    email,
    domain,
    domainFrom: ofEmail !== null ? 'email' : ofWebsite !== null ? 'website' : null,
    mailDomain: email !== null && ofEmail !== null ? domainToASCII(email.domain) : null,
    name: firstOf('name'),
    company: firstOf('company'),
    phone: readPhone(firstOf('phone'), country, domain),
    country,
    website,
    extras,
  };
}

function readEmail(address: string | null): InputEmail | null {
  const email = address === null ? null : parseEmail(address);
  return email === null ? null : { ...email, class: classifyDomain(email.domain) };
}

const websiteCharactersMax = 300;

function readWebsite(text: string | undefined): URL | null {
  if (text === undefined || text.length > websiteCharactersMax) return null;
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return isPublicHost(url.hostname) && url.username === '' ? url : null;
}

function companySite(website: URL): string | null {
  const domain = registrableOf(website.hostname);
  return domain === null || platforms.has(domain) || !companyClasses.has(classifyDomain(domain))
    ? null
    : domain;
}

export function registrableOf(host: string): string | null {
  const ascii = domainToASCII(host);
  if (ascii === '' || !isPublicHost(ascii)) return null;
  return getDomain(ascii, { allowPrivateDomains: true });
}
