import type { ScoringData } from '../data.ts';
import type { Hits } from '../hits.ts';
import { domainShape } from '../models/domain-shape.ts';
import { addSpelling, isBelow } from '../models/trigrams.ts';
import { classifyDomain, isFreeSubdomain, parseEmail, registrableDomain } from '../reading/email.ts';
import type { LeadField, LeadReading } from '../reading/reading.ts';
import { roleNames } from '../tables/mail-domains.ts';
import { isTestAddress } from '../typed/test-address.ts';

const dotsMax = 3;
const digitsTail = /\d{6,}$/;
const noReply = /^(?:no|do)[-_.]?(?:not[-_.]?)?reply/;
const localLettersMin = 9;
const longRun = /[a-z]{9,}/;
const shownLetters = 4;
const web = 'www.';

/** `value` is the field without links. Only the first address of a lead counts as its sender's. */
export function judgeEmail(
  field: LeadField,
  value: string,
  reading: LeadReading,
  hits: Hits,
  data: ScoringData,
): void {
  const address = parseEmail(value);
  if (address === null) {
    if (field.isCertain) hits.addOnce('EMAIL_INVALID', field.key, whatIsWrong(value));
    return;
  }
  if (reading.email !== null) return;
  // Nobody has an address at the host of a website, but people type it.
  const domain = withoutWeb(address.domain);
  const registrable = registrableDomain(domain);
  const domainClass = classifyDomain(domain, data.disposable, registrable);
  const local = address.local.toLowerCase();
  reading.email = { local, domain, registrable, class: domainClass };
  const meant = data.meantProvider(domain);
  if (meant !== null || domain !== address.domain) hits.add('EMAIL_TYPO', field.key, meant ?? domain);
  // Lists of disposable domains contain typo and test domains too.
  const isMadeUp = isTest(local, domain);
  const judged = meant === null && !isMadeUp ? domainClass : null;
  if (judged === 'disposable') hits.add('EMAIL_DISPOSABLE', field.key, domain);
  else if (judged === 'reserved') hits.add('EMAIL_RESERVED', field.key, domain);
  else if (judged === 'free') judgeFreeDomain(field, domain, registrable, hits);
  else if (judged === 'business') judgeDomain(field, domain, registrable, hits, data);
  if (isMadeUp) hits.add('EMAIL_TEST', field.key, domain);
  else judgeLocalPart(field, withoutTag(local), domain, reading, hits, data);
}

/** "www.de" is a domain, "www.engines.io" the host of a website. */
function withoutWeb(domain: string): string {
  return domain.startsWith(web) && domain.includes('.', web.length) ? domain.slice(web.length) : domain;
}

/** Without the part that identifies a person. */
function whatIsWrong(value: string): string {
  const at = value.lastIndexOf('@');
  if (at < 0) return 'no @';
  if (at === 0) return 'nothing before the @';
  if (/\s/.test(value)) return 'contains a space';
  if (value.indexOf('@') !== at) return 'more than one @';
  if (value.includes('..')) return 'two dots in a row';
  const domain = value.slice(at + 1);
  return domain === '' ? 'nothing after the @' : `@${domain}`;
}

/** The same finding as that of the second look at an earlier lead of the domain. */
export function judgeMailServer(
  reading: LeadReading,
  hits: Hits,
  mailServerOf: (domain: string) => string | null,
): void {
  const { email } = reading;
  if (email?.class !== 'business') return;
  const server = mailServerOf(email.domain);
  if (server === null) return;
  hits.add('EMAIL_DISPOSABLE_MX', reading.first('email')?.key ?? null, server);
  reading.email = { ...email, class: 'disposable' };
}

function judgeFreeDomain({ key }: LeadField, domain: string, registrable: string, hits: Hits): void {
  if (isFreeSubdomain(registrable)) hits.add('EMAIL_FREE_SUBDOMAIN', key, domain);
}

function judgeDomain(
  { key }: LeadField,
  domain: string,
  registrable: string,
  hits: Hits,
  data: ScoringData,
): void {
  const dot = registrable.indexOf('.');
  const shape = domainShape(data.domainShape, registrable.slice(0, dot), registrable.slice(dot + 1));
  if (shape >= data.domainShape.certain) hits.add('EMAIL_DOMAIN_UNUSUAL', key, domain);
  else if (shape >= data.domainShape.probable) hits.add('EMAIL_DISPOSABLE_PROBABLE', key, domain);
  else if (shape >= data.domainShape.likely) hits.add('EMAIL_DISPOSABLE_LIKELY', key, domain);
}

function judgeLocalPart(
  { key }: LeadField,
  name: string,
  domain: string,
  reading: LeadReading,
  hits: Hits,
  data: ScoringData,
): void {
  if (roleNames.has(name)) hits.add('EMAIL_ROLE', key, name);
  else if (noReply.test(name)) hits.add('EMAIL_NO_REPLY', key);
  else {
    if (digitsTail.test(name)) hits.add('EMAIL_DIGITS', key);
    if (domain === 'gmail.com' && name.split('.').length - 1 > dotsMax) hits.add('EMAIL_DOTS', key);
    const run = name.length >= localLettersMin ? randomRun(name, data) : null;
    // Judged with the name: an address made from an unusual name says nothing more.
    if (run !== null) reading.randomLocal = { key, evidence: `${run.slice(0, shownLetters)}…` };
  }
}

/** Whether people make up this address to try out a form. */
function isTest(local: string, domain: string): boolean {
  return isTestAddress(withoutTag(local), domain.slice(0, domain.indexOf('.')));
}

function withoutTag(local: string): string {
  const plus = local.indexOf('+');
  return plus < 0 ? local : local.slice(0, plus);
}

/** Initials make real addresses look odd, so only a long run of letters counts as random. */
function randomRun(name: string, { trigrams }: ScoringData): string | null {
  const run = longRun.exec(name)?.[0];
  if (run === undefined) return null;
  const spelling = { sum: 0, letters: 0 };
  addSpelling(trigrams, run, 0, run.length, spelling);
  return isBelow(trigrams.certain, spelling) ? run : null;
}
