import type { Hits } from '../hits.ts';
import { countryOf } from '../reading/countries.ts';
import type { LeadReading } from '../reading/reading.ts';
import type { CompiledScoring } from '../settings/compile.ts';
import { matchesGlob } from '../settings/glob.ts';
import { titleRankOf } from '../tables/business-words.ts';

const titleCharactersMax = 120;
const namePartMin = 3;
const titleCodes = { top: 'FIT_TITLE_TOP', head: 'FIT_TITLE_HEAD', manager: 'FIT_TITLE_MANAGER' } as const;

/** Who the lead comes from. */
export function judgeFit(form: CompiledScoring, reading: LeadReading, hits: Hits): void {
  const company = reading.first('company');
  const { email } = reading;
  if (email !== null) judgeAddress(email.class, hits);
  if (hits.has('EMAIL_ROLE')) hits.add('FIT_FUNCTION_ADDRESS');
  if (company !== null && !hits.has('COMPANY_GIBBERISH')) {
    hits.add('FIT_COMPANY');
    if (email?.class === 'business' && isSameName(company.value, email.registrable))
      hits.add('FIT_COMPANY_DOMAIN');
  }
  if (reading.hasPhone) hits.add('FIT_PHONE');
  if (reading.first('website') !== null) hits.add('FIT_WEBSITE');
  judgeName(reading, hits);
  judgeTitle(form, reading, hits);
  judgeCountry(form, reading, hits);
}

function judgeAddress(kind: NonNullable<LeadReading['email']>['class'], hits: Hits): void {
  if (kind === 'business') hits.add('FIT_BUSINESS_DOMAIN');
  else if (kind === 'edu' || kind === 'gov') hits.add('FIT_INSTITUTION');
  else if (kind === 'disposable') hits.add('FIT_DISPOSABLE');
  else if (kind !== 'reserved') hits.add('FIT_FREE_MAIL');
}

/** "Nordlicht Solar GmbH" and nordlicht-solar.de, or nordlicht.de. */
function isSameName(company: string, registrable: string): boolean {
  // Most differ in the first letter already.
  if ((company.charCodeAt(0) | 32) !== registrable.charCodeAt(0)) return false;
  const label = registrable.slice(0, registrable.indexOf('.')).replaceAll('-', '');
  const name = company
    .slice(0, 80)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return (
    label.length >= namePartMin &&
    name.length >= namePartMin &&
    (name.startsWith(label) || label.startsWith(name))
  );
}

function judgeName(reading: LeadReading, hits: Hits): void {
  if (hits.has('NAME_GIBBERISH') || hits.has('NAME_PLACEHOLDER') || hits.has('LOOKS_LIKE_TEST')) return;
  const full = reading.first('name')?.value ?? '';
  const last = reading.first('last_name')?.value ?? '';
  const first = reading.first('first_name')?.value ?? '';
  const space = full.indexOf(' ');
  if (space > 0 || (first !== '' && last !== '') || isFullNameInOneWord(full)) hits.add('FIT_FULL_NAME');
  const { email } = reading;
  if (email === null) return;
  const { local } = email;
  const isNamed =
    isPartOf(first, local) ||
    isPartOf(last, local) ||
    isPartOf(full.slice(0, Math.max(0, space)), local) ||
    isPartOf(full.slice(full.lastIndexOf(' ') + 1), local);
  if (isNamed) hits.add('FIT_NAME_IN_EMAIL');
}

/** Chinese, Japanese and Korean names are written without a space. */
function isFullNameInOneWord(name: string): boolean {
  return name.length >= 2 && name.length <= 8 && /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+$/.test(name);
}

function isPartOf(name: string, local: string): boolean {
  return name.length >= namePartMin && name.length <= local.length && local.includes(name.toLowerCase());
}

function judgeTitle(form: CompiledScoring, reading: LeadReading, hits: Hits): void {
  const title = reading.first('title')?.value.slice(0, titleCharactersMax);
  if (title === undefined) return;
  const rank = titleRankOf(title);
  if (rank !== null) hits.add(titleCodes[rank]);
  if (form.titles.length === 0) return;
  const lower = title.toLowerCase();
  if (form.titles.some((glob) => matchesGlob(glob, lower))) hits.add('FIT_TITLE_WANTED');
}

function judgeCountry({ countries }: CompiledScoring, reading: LeadReading, hits: Hits): void {
  if (countries.size === 0) return;
  const country = countryOf(reading.first('country')?.value ?? '');
  if (country !== null) hits.add(countries.has(country) ? 'FIT_COUNTRY_WANTED' : 'FIT_COUNTRY_OTHER');
}
