import { domainToASCII } from 'node:url';
import { getDomain } from 'tldts';
import { type Attribution, attributionOf } from '../../domain/lead/attribution.ts';
import type { LeadFields } from '../../domain/lead/lead.ts';
import { classifyDomain, type EmailClass, parseEmail } from '../../domain/score/reading/email.ts';
import { type RecognisedField, recogniseFields } from '../../domain/score/reading/fields.ts';
import { meantProvider } from '../../domain/score/tables/provider-typos.ts';
import { isPublicHost } from '../../net/egress-target.ts';
import { countryOf } from './countries.ts';
import { type ExtraKind, recogniseExtras } from './extras.ts';
import { type InputPhone, readPhone } from './phone-number.ts';

export interface InputEmail {
  /** The field it was typed in. */
  readonly key: string;
  readonly local: string;
  readonly domain: string;
  readonly class: string;
  /** The big provider that was meant, if the domain is one typo away from it. */
  readonly meant: string | null;
}

/** A lead as providers see it: read once, with what was typed and what it means. */
export interface Input {
  readonly email: InputEmail | null;
  /** The registrable domain of the company, in ASCII; null for a free email provider without a website. */
  readonly domain: string | null;
  readonly domainFrom: 'email' | 'website' | null;
  /** The full domain of a company email address, in ASCII. */
  readonly mailDomain: string | null;
  readonly name: string | null;
  readonly company: string | null;
  readonly phone: InputPhone | null;
  /** The typed country, as a two-letter code. */
  readonly country: string | null;
  readonly website: URL | null;
  readonly extras: ReadonlyMap<ExtraKind, string>;
  readonly attribution: Attribution;
}

/** The address classes whose domain shows where someone works. */
const companyClasses: ReadonlySet<string> = new Set<EmailClass>(['business', 'edu', 'gov']);

// A page on one of these may be someone's website, but the domain is not their company.
const platforms = new Set(
  `facebook.com instagram.com linkedin.com youtube.com youtu.be x.com twitter.com github.com google.com goo.gl
  tiktok.com pinterest.com linktr.ee t.me wa.me medium.com xing.com vk.com bit.ly amazon.com etsy.com`.split(
    /\s+/,
  ),
);

export function readInput(fields: LeadFields): Input {
  const recognised = recogniseFields(fields);
  const fieldOf = (kind: string) => recognised.find((field) => field.kind === kind);
  const firstOf = (kind: string) => fieldOf(kind)?.value.trim() ?? null;
  const extras = recogniseExtras(fields);
  const email = readEmail(fieldOf('email'));
  const website = readWebsite(extras.get('website'));
  const ofEmail = email !== null && isOfCompany(email) ? registrableOf(email.domain) : null;
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
    attribution: attributionOf(fields),
  };
}

function readEmail(field: RecognisedField | undefined): InputEmail | null {
  const email = field === undefined ? null : parseEmail(field.value);
  if (field === undefined || email === null) return null;
  const { domain } = email;
  return { ...email, key: field.key, class: classifyDomain(domain), meant: meantProvider(domain) };
}

/** A typo of gmail.com is not where the person works. */
function isOfCompany({ class: kind, meant }: InputEmail): boolean {
  return meant === null && companyClasses.has(kind);
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

function registrableOf(host: string): string | null {
  const ascii = domainToASCII(host);
  if (ascii === '' || !isPublicHost(ascii)) return null;
  return getDomain(ascii, { allowPrivateDomains: true });
}
