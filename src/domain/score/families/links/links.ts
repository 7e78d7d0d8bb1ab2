import type { ScoringData } from '../../data.ts';
import type { Hits } from '../../hits.ts';
import { registrableDomain } from '../../reading/email.ts';
import { HashTable } from '../../reading/hash-table.ts';
import { addressOf, type LinkAddress, shownHost } from '../../reading/link-address.ts';
import type { LeadField, LeadReading } from '../../reading/reading.ts';
import { signs, type TextScan } from '../../reading/scan.ts';
import { wordHash } from '../../reading/word-hash.ts';
import type { RuleCode } from '../../rules.ts';
import type { FieldKind } from '../../settings/field-kinds.ts';
import { brands, shortBrands } from '../../tables/link-hosts.ts';
import { type JudgedLink, judgeLink } from './link-hosts.ts';
import { nameRanks } from './link-names.ts';

const wordsBesideLinkMin = 3;
const wordsPerLinkMostly = 4;
/** How much of a message is links. */
const linkShares = { some: 0, mostly: 1, nearlyAlone: 2, alone: 3 } as const;
/** With more words for each link, it is a newsletter, an order or a signature. */
const wordsPerLinkMany = 12;
const shortTextWordsMax = 16;
const bareTextWordsMax = 40;
/** From here on, a text is a letter and not a bait. */
export const longTextWords = 80;
const linksJudgedMax = 32;
const brandWordsRead = 60;
const fieldsWithoutLinks: ReadonlySet<FieldKind> = new Set([
  'name',
  'first_name',
  'last_name',
  'company',
  'phone',
  'email',
  'title',
  'country',
]);
const namedBrands = new HashTable([...brands, ...shortBrands].map((brand) => [wordHash(brand), 1] as const));

/** Collects the links of a text that was just scanned. In a company field, a bare domain is often the name. */
export function collectLinks(field: LeadField, scan: TextScan, reading: LeadReading, hits: Hits): void {
  const { kind } = field;
  if (kind === 'message' || kind === 'other' || kind === 'subject')
    reading.wordsBesideLinks += scan.wordCount;
  if ((scan.signs & (signs.angle | signs.bracket)) !== 0) judgeMarkup(field, scan, hits);
  if (scan.linkCount === 0 || kind === 'website') return;
  const isNoPlace = fieldsWithoutLinks.has(kind);
  for (const link of scan.links) {
    if (isNoPlace && link.kind === 'bare') continue;
    if (isNoPlace) hits.addOnce('LINK_IN_NAME', field.key, shownHost(addressIn(field, link)));
    reading.links.push({ start: link.start, end: link.end, field });
  }
  const brand = isNoPlace ? null : brandIn(scan);
  if (brand !== null) reading.brands.push(brand);
  if (kind === 'message') reading.linkShare = Math.max(reading.linkShare, shareOf(scan));
}

function shareOf({ wordCount, linkCount, linkCharacters, length }: TextScan): number {
  if (wordCount === 0) return linkShares.alone;
  if (wordCount < wordsBesideLinkMin && linkCharacters * 2 > length) return linkShares.nearlyAlone;
  return wordCount < wordsPerLinkMostly * linkCount ? linkShares.mostly : linkShares.some;
}

/** A text that names a brand makes the reader expect its site behind the link. */
function brandIn(scan: TextScan): string | null {
  const count = Math.min(scan.wordCount, brandWordsRead);
  for (let word = 0; word < count; word++)
    if (namedBrands.get(scan.wordHashes[word] as number) === 1) return scan.word(word).toLowerCase();
  return null;
}

/** All links that do not lead to the sender's own site, taken together. */
interface ForeignLinks {
  /** Links to well-known sites count as one. */
  readonly count: number;
  /** The first link that does not lead to a well-known site, otherwise the first. */
  readonly first: JudgedLink;
  /** Each link once. */
  readonly judged: readonly JudgedLink[];
  readonly words: number;
}

/**
 * Links to the sender's own site are fine. One more link may never make a finding disappear: that is why words are
 * counted in the whole lead, and why the worst host decides, not the share of such hosts.
 */
export function judgeLinks(reading: LeadReading, hits: Hits, data: ScoringData): void {
  if (reading.links.length === 0) return;
  const links = foreignLinks(reading, data);
  if (links === null) return;
  judgeCount(links, reading, hits);
  if (links.words < longTextWords) {
    for (const link of links.judged) judgeKind(link, hits);
    judgeName(links.judged, hits);
    judgeText(links, reading, hits, links.judged.find(isDoubtful));
  } else judgeLongText(links.judged, hits);
  const elsewhere = reading.email?.class === 'business' ? links.judged.find(isUnknown) : undefined;
  if (elsewhere !== undefined) hits.add('LINK_ELSEWHERE', elsewhere.field, elsewhere.host);
}

function foreignLinks(reading: LeadReading, data: ScoringData): ForeignLinks | null {
  const { links, wordsBesideLinks: words } = reading;
  const judged: JudgedLink[] = [];
  // Most leads with links have one.
  const byText = links.length === 1 ? null : new Map<string, JudgedLink | null>();
  let others = 0;
  let known = 0;
  for (const { field, start, end } of links) {
    const text = field.value.slice(start, end);
    let link = byText?.get(text);
    if (link === undefined && (byText === null || byText.size < linksJudgedMax)) {
      const address = addressOf(text);
      link = isOwn(address.name, reading) ? null : judgeLink(address, field.key, data);
      byText?.set(text, link);
      if (link !== null) judged.push(link);
    }
    if (link === undefined || (link !== null && !isHarmless(link))) others++;
    else if (link !== null) known++;
  }
  const first = judged.find(isNotable) ?? judged[0];
  return first === undefined ? null : { count: others + Math.min(known, 1), first, judged, words };
}

/** Newsletters, orders and signatures have many links too, but more text around them. */
function judgeCount({ count, first, words }: ForeignLinks, { linkShare }: LeadReading, hits: Hits): void {
  const { field, host } = first;
  const isDense = words < longTextWords && words < wordsPerLinkMany * count;
  if (count >= 6 && isDense) hits.add('LINKS_6', field, host);
  else if (count >= 3 && isDense) hits.add('LINKS_3', field, host);
  else hits.add(count >= 2 ? 'LINKS_2' : 'LINKS_1', field, host);
  const isKnown = isHarmless(first);
  if (linkShare === linkShares.alone || (linkShare === linkShares.nearlyAlone && !isKnown))
    hits.add('LINK_ALONE', field, host);
  else if (linkShare !== linkShares.some && !isKnown && words < bareTextWordsMax)
    hits.add('LINKS_MOSTLY', field, host);
}

function judgeKind(link: JudgedLink, hits: Hits): void {
  const code = kindCodes[link.kind] ?? (link.isCheap ? 'LINK_TLD_CHEAP' : null);
  if (code !== null) hits.addOnce(code, link.field, link.host);
  if (link.isDisguised) hits.addOnce('LINK_HOST_DISGUISED', link.field, link.host);
  else if (link.isOdd) hits.addOnce('LINK_HOST_ODD', link.field, link.host);
}

const kindCodes: Readonly<Partial<Record<JudgedLink['kind'], RuleCode>>> = {
  short: 'LINK_SHORTENED',
  chat: 'LINK_CHAT',
  free: 'LINK_HOST_SHARED',
  builder: 'LINK_HOST_BUILDER',
  number: 'LINK_HOST_NUMBER',
};

/** The oddest name counts. */
function judgeName(judged: readonly JudgedLink[], hits: Hits): void {
  let oddest: JudgedLink | null = null;
  for (const link of judged) if (link.rank > (oddest?.rank ?? nameRanks.ordinary)) oddest = link;
  if (oddest !== null) hits.add(nameCodes[oddest.rank] as RuleCode, oddest.field, oddest.host);
}

const nameCodes = [null, 'LINK_HOST_SHAPE', 'LINK_HOST_BAIT', 'LINK_HOST_BRAND'] as const;

/** Among many links, one to an unusual host proves little: only the worst of them counts, and an odd name counts less. */
function judgeLongText(judged: readonly JudgedLink[], hits: Hits): void {
  for (const [code, matches] of worstFirst) {
    const link = judged.find(matches);
    if (link === undefined) continue;
    hits.add(code, link.field, link.host);
    return;
  }
}

/** By their points. */
const worstFirst: readonly (readonly [RuleCode, (link: JudgedLink) => boolean])[] = [
  ['LINK_HOST_DISGUISED', ({ isDisguised }) => isDisguised],
  ['LINK_HOST_BRAND', ({ rank }) => rank === nameRanks.brand],
  ['LINK_HOST_NUMBER', ({ kind }) => kind === 'number'],
  ['LINK_SHORTENED', ({ kind }) => kind === 'short'],
  ['LINK_HOST_SHARED', ({ kind }) => kind === 'free'],
  ['LINK_HOST_SHAPE', ({ rank }) => rank > nameRanks.ordinary],
  ['LINK_HOST_ODD', ({ isOdd }) => isOdd],
  ['LINK_TLD_CHEAP', ({ isCheap }) => isCheap],
  ['LINK_CHAT', ({ kind }) => kind === 'chat'],
  ['LINK_HOST_BUILDER', ({ kind }) => kind === 'builder'],
];

/** Text and link together. */
function judgeText(
  { first, judged, words }: ForeignLinks,
  { brands, doubtBesideLink: doubt }: LeadReading,
  hits: Hits,
  doubtful: JudgedLink | undefined,
): void {
  if (doubt !== null) hits.addOnce('WORDING_DOUBTFUL', doubt.key, doubt.evidence);
  if (hits.readsLikeSpam) hits.add('LINK_IN_SPAM', first.field, first.host);
  else if (hits.has('WORDING_DOUBTFUL')) hits.add('LINK_IN_DOUBT', first.field, first.host);
  if (doubtful !== undefined) {
    if (words < shortTextWordsMax) hits.add('LINK_SHORT_TEXT', doubtful.field, doubtful.host);
    if (hits.readsLikeBait) hits.add('LINK_IN_LURE', doubtful.field, doubtful.host);
  }
  if (words >= bareTextWordsMax) return;
  const coded = judged.find(({ hasCode }) => hasCode);
  if (coded !== undefined) hits.add('LINK_PATH_RANDOM', coded.field, coded.host);
  const trapped = judged.find(({ hasTrap }) => hasTrap);
  if (trapped !== undefined) hits.add('LINK_PATH_TRAP', trapped.field, trapped.host);
  for (const brand of brands) {
    const link = judged.find((link) => isUnknown(link) && link.label !== brand);
    if (link !== undefined) hits.addOnce('LINK_BRAND_ELSEWHERE', link.field, `${brand}, ${link.host}`);
  }
}

function isHarmless({ kind }: JudgedLink): boolean {
  return kind === 'known' || kind === 'local';
}

function isNotable(link: JudgedLink): boolean {
  return !isHarmless(link);
}

function isUnknown({ kind }: JudgedLink): boolean {
  return kind === 'unknown';
}

function isDoubtful({ kind, isOdd, rank }: JudgedLink): boolean {
  return isOdd || rank > nameRanks.ordinary || kind === 'short' || kind === 'free' || kind === 'number';
}

function addressIn(
  { value }: LeadField,
  { start, end }: { readonly start: number; readonly end: number },
): LinkAddress {
  return addressOf(value.slice(start, end));
}

/** The domain of the email address proves it; a website field does not. */
function isOwn(host: string, { email }: LeadReading): boolean {
  return email !== null && email.class === 'business' && email.registrable === registrableDomain(host);
}

const anchor = /<\s{0,3}a\s/i;
const bbCode = /\[\/?(?:url|link)\b/i;

function judgeMarkup(field: LeadField, scan: TextScan, hits: Hits): void {
  const { text, length, links, wordCount } = scan;
  const read = text.length > length ? text.slice(0, length) : text;
  const markup = anchor.exec(read) ?? bbCode.exec(read);
  const shown = links[0] === undefined ? null : shownHost(addressIn(field, links[0]));
  if (markup !== null) {
    const code = wordCount < longTextWords ? 'LINK_MARKUP' : 'LINK_MARKUP_LONG';
    hits.addOnce(code, field.key, shown ?? markup[0]);
  } else if (read.includes('](http')) hits.addOnce('LINK_MARKDOWN', field.key, shown);
}
