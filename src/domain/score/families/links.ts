import type { Hits } from '../hits.ts';
import { registrableDomain } from '../reading/email.ts';
import type { LeadField, LeadReading } from '../reading/reading.ts';
import { signs, type TextScan } from '../reading/scan.ts';
import { cheapDomains, shorteners } from '../tables/link-hosts.ts';

const wordsBesideLinkMin = 3;
const fieldsWithoutLinks = new Set([
  'name',
  'first_name',
  'last_name',
  'company',
  'phone',
  'email',
  'title',
  'country',
]);

/** Collects the links of a text that was just scanned. In a company field, a bare domain is often the name. */
export function collectLinks(field: LeadField, scan: TextScan, reading: LeadReading, hits: Hits): void {
  if ((scan.signs & (signs.angle | signs.bracket)) !== 0) judgeMarkup(field, scan, hits);
  if (scan.linkCount === 0) return;
  if (field.kind === 'website') return;
  const isNoPlace = fieldsWithoutLinks.has(field.kind);
  for (const link of scan.links) {
    if (isNoPlace && link.kind === 'bare') continue;
    if (isNoPlace) hits.addOnce('LINK_IN_NAME', field.key);
    reading.links.push({ ...link, field });
  }
  if (field.kind !== 'message' || scan.linkCharacters * 2 <= scan.length) return;
  if (scan.wordCount < wordsBesideLinkMin) reading.isLinkAlone = true;
  else reading.isMostlyLinks = true;
}

/** Links to the sender's own site are fine. */
export function judgeLinks(reading: LeadReading, hits: Hits): void {
  const foreign = reading.links.filter(({ host }) => !isOwn(hostName(host), reading));
  const count = foreign.length;
  if (count === 0) return;
  const field = foreign[0]?.field.key ?? null;
  if (count >= 6) hits.add('LINKS_6', field);
  else if (count >= 3) hits.add('LINKS_3', field);
  else hits.add(count === 2 ? 'LINKS_2' : 'LINKS_1', field);
  if (hits.readsLikeSpam) hits.add('LINK_IN_SPAM', field);
  if (reading.isLinkAlone) hits.add('LINK_ALONE', field);
  else if (reading.isMostlyLinks) hits.add('LINKS_MOSTLY', field);
  for (const { host, field } of foreign) judgeHost(host, field.key, hits);
}

function judgeHost(host: string, field: string, hits: Hits): void {
  const name = hostName(host);
  if (shorteners.has(name)) hits.addOnce('LINK_SHORTENED', field, name);
  else if (/^[\d.]+$|^\[|^0x|(?:^|\.)xn--/.test(name) || /:\d/.test(host))
    hits.addOnce('LINK_HOST_ODD', field, host);
  else if (cheapDomains.has(name.slice(name.lastIndexOf('.') + 1)))
    hits.addOnce('LINK_TLD_CHEAP', field, name);
}

function hostName(host: string): string {
  const name = host.startsWith('www.') ? host.slice(4) : host;
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(0, colon);
}

/** The domain of the email address proves it; a website field does not. */
function isOwn(host: string, { email }: LeadReading): boolean {
  return email !== null && email.class === 'business' && email.registrable === registrableDomain(host);
}

const anchor = /<\s{0,3}a\s/i;
const bbCode = /\[\/?(?:url|link)\b/i;

function judgeMarkup({ key }: LeadField, { text, length }: TextScan, hits: Hits): void {
  const read = text.length > length ? text.slice(0, length) : text;
  if (anchor.test(read) || bbCode.test(read)) hits.addOnce('LINK_MARKUP', key);
  else if (read.includes('](http')) hits.addOnce('LINK_MARKDOWN', key);
}
