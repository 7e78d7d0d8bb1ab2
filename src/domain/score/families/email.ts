import type { ScoringData } from '../data.ts';
import type { Hits } from '../hits.ts';
import { domainShape } from '../models/domain-shape.ts';
import { addSpelling, isBelow } from '../models/trigrams.ts';
import { classifyDomain, parseEmail, registrableDomain } from '../reading/email.ts';
import type { LeadField, LeadReading } from '../reading/reading.ts';
import { roleNames, testWords } from '../tables/mail-domains.ts';

const dotsMax = 3;
const digitsTail = /\d{6,}$/;
const noReply = /^(?:no|do)[-_.]?(?:not[-_.]?)?reply/;
const localLettersMin = 9;
const longRun = /[a-z]{9,}/;

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
    if (field.isCertain) hits.addOnce('EMAIL_INVALID', field.key);
    return;
  }
  const registrable = registrableDomain(address.domain);
  const domainClass = classifyDomain(address.domain, data.disposable, registrable);
  if (reading.email !== null) return;
  const { domain } = address;
  const local = address.local.toLowerCase();
  reading.email = { local, domain, registrable, class: domainClass };
  const meant = data.meantProvider(domain);
  // Lists of disposable domains contain typo domains too, because someone has registered them.
  if (meant !== null) hits.add('EMAIL_TYPO', field.key, meant);
  else if (domainClass === 'disposable') hits.add('EMAIL_DISPOSABLE', field.key, domain);
  else if (domainClass === 'reserved') hits.add('EMAIL_RESERVED', field.key, domain);
  else if (domainClass === 'business') judgeDomain(field, domain, registrable, hits, data);
  judgeLocalPart(field, local, domain, hits, data);
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
  if (shape >= data.domainShape.probable) hits.add('EMAIL_DISPOSABLE_PROBABLE', key, domain);
  else if (shape >= data.domainShape.likely) hits.add('EMAIL_DISPOSABLE_LIKELY', key, domain);
}

function judgeLocalPart(
  { key }: LeadField,
  local: string,
  domain: string,
  hits: Hits,
  data: ScoringData,
): void {
  const plus = local.indexOf('+');
  const name = plus < 0 ? local : local.slice(0, plus);
  const label = domain.slice(0, domain.indexOf('.'));
  if (testWords.has(name) && (testWords.has(label) || name === label)) {
    hits.add('EMAIL_TEST', key, domain);
  } else if (roleNames.has(name)) hits.add('EMAIL_ROLE', key, name);
  else if (noReply.test(name)) hits.add('EMAIL_NO_REPLY', key);
  else {
    if (digitsTail.test(name)) hits.add('EMAIL_DIGITS', key);
    if (domain === 'gmail.com' && name.split('.').length - 1 > dotsMax) hits.add('EMAIL_DOTS', key);
    if (name.length >= localLettersMin && isRandom(name, data)) hits.add('EMAIL_LOCAL_GIBBERISH', key);
  }
}

/** Initials make real addresses look odd, so only a long run of letters counts as random. */
function isRandom(name: string, { trigrams }: ScoringData): boolean {
  const run = longRun.exec(name)?.[0];
  if (run === undefined) return false;
  const spelling = { sum: 0, letters: 0 };
  addSpelling(trigrams, run, 0, run.length, spelling);
  return isBelow(trigrams.certain, spelling);
}
