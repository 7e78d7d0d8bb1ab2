import { expect, test } from 'vitest';
import { countryOf, countryOfDomain } from '../../reading/countries.ts';
import { readInput } from '../../reading/input.ts';
import type { BuiltinProvider } from '../provider.ts';
import { attribution } from './attribution.ts';
import { country } from './country.ts';
import { canonicalAddress, emailDomain, resembles } from './email-domain.ts';
import { name, splitName, usualCase } from './name.ts';
import { phone } from './phone.ts';
import { typed } from './typed.ts';

/** The values of a provider for a lead, by path. */
function saysOf(provider: BuiltinProvider, fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(provider.enrich(readInput(fields)).map(({ path, value }) => [path, value]));
}

test.each([
  [{ email: 'ada@acme-tools.de' }, { 'company.domain': 'acme-tools.de', 'company.name': 'Acme Tools' }],
  [{ email: 'ada@mail.ibm.com' }, { 'company.domain': 'ibm.com', 'company.name': 'IBM' }],
  [{ email: 'ada@bücher.de' }, { 'company.domain': 'xn--bcher-kva.de' }],
  [{ email: 'ada@gmail.com', website: 'www.acme.fr/contact' }, { 'company.domain': 'acme.fr' }],
  [{ email: 'ada@cs.stanford.edu' }, { 'company.domain': 'stanford.edu', 'email.class': 'edu' }],
  [{ email: 'ada@bundestag.gv.at' }, { 'company.domain': 'bundestag.gv.at', 'email.class': 'gov' }],
])('the lead %j is from %j', (fields, company) => {
  expect(saysOf(emailDomain, fields)).toMatchObject(company);
});

test.each([
  [{ email: 'ada@gmail.com' }],
  [{ email: 'ada@mailinator.com' }],
  [{ email: 'ada@gmial.com' }],
  [{ email: 'ada@gmail.com', website: 'https://www.linkedin.com/in/ada' }],
  [{ email: 'ada@intranet.local' }],
  [{ email: 'nobody', website: 'http://127.0.0.1/' }],
])('the lead %j does not show a company', (fields) => {
  expect(saysOf(emailDomain, fields)).not.toHaveProperty(['company.domain']);
});

test.each([
  ['A.D.A+news@googlemail.com', 'ada@gmail.com'],
  ['Ada+x@outlook.com', 'ada@outlook.com'],
  // It is unknown whether a company's server drops tags and dots.
  ['Ada.L+x@acme.com', 'ada.l+x@acme.com'],
  ['+@gmail.com', '+@gmail.com'],
])('the canonical form of %s is %s', (address, canonical) => {
  const [local, domain] = address.split('@') as [string, string];
  expect(canonicalAddress({ local, domain })).toBe(canonical);
});

test.each([
  ['Ada.L@gmial.com', 'Ada.L@gmail.com'],
  ['ada@hotmail.con', 'ada@hotmail.com'],
  ['ada@gmail.com', undefined],
  ['ada@acme.com', undefined],
])('%s was probably meant to be %s', (email, meant) => {
  expect(saysOf(emailDomain, { email })['email.suggestion']).toBe(meant);
});

test.each([
  [{ country: 'Austria' }, 'Europe/Vienna'],
  [{ country: 'Germany' }, 'Europe/Berlin'],
  [{ email: 'ada@acme.fr' }, 'Europe/Paris'],
  [{ country: 'USA' }, undefined],
  [{ email: 'ada@acme.com' }, undefined],
])('the lead %j is in the time zone %s', (fields, zone) => {
  expect(saysOf(country, fields)['person.timezone']).toBe(zone);
});

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['America/New_York', 'America/New_York'],
  ['+02:00', undefined],
  ['Middle-earth/Shire', undefined],
])('the time zone typed as %s is %s', (typedZone, zone) => {
  expect(saysOf(typed, { time_zone: typedZone })['person.timezone']).toBe(zone);
});

test.each([
  ['Acme Tools GmbH', 'acme-tools', true],
  ['International Business Machines', 'ibm', true],
  ['Société Générale S.A.', 'societegenerale', true],
  ['Acme', 'acmecorp', true],
  ['Acme', 'globex', false],
  ['', 'acme', false],
])('whether %j resembles the domain %s: %s', (company, label, expected) => {
  expect(resembles(company, label)).toBe(expected);
});

test.each([
  [{ phone: '+44 20 7946 0958' }, { 'phone.e164': '+442079460958', 'phone.country': 'GB' }],
  [{ phone: '0049 30 901820' }, { 'phone.e164': '+4930901820', 'phone.type': 'fixed_line' }],
  [{ phone: '030 901820', country: 'Germany' }, { 'phone.e164': '+4930901820' }],
  [{ phone: '030 901820', email: 'ada@acme.de' }, { 'phone.e164': '+4930901820' }],
])('the phone number of %j is recognised', (fields, expected) => {
  expect(saysOf(phone, fields)).toMatchObject(expected);
});

test.each([['030 901820'], ['12345'], ['+1 555'], ['call me'], ['9'.repeat(60)]])(
  'the phone number %j is ignored',
  (text) => {
    expect(saysOf(phone, { phone: text, email: 'ada@gmail.com' })).toEqual({});
  },
);

test.each([
  ['Deutschland', 'DE'],
  ['Allemagne', 'DE'],
  ['Alemania', 'DE'],
  ['u.s.a.', 'US'],
  ['UK', 'GB'],
  ['france', 'FR'],
  ['Russia', 'RU'],
  ['at', 'AT'],
  ['Atlantis', null],
  ['EU', null],
])('the country %j is %s', (text, code) => {
  expect(countryOf(text)).toBe(code);
});

test('endings that anybody can register say nothing about a country', () => {
  expect(['acme.io', 'acme.ai', 'acme.co', 'acme.me', 'acme.tv', 'acme.com'].map(countryOfDomain)).toEqual(
    Array(6).fill(null),
  );
  expect(['acme.de', 'acme.co.uk', 'acme.at'].map(countryOfDomain)).toEqual(['DE', 'GB', 'AT']);
});

test('hints at the same country are trusted more than each alone, conflicting hints less', () => {
  const confidence = (fields: Record<string, unknown>) =>
    country.enrich(readInput(fields)).find(({ path }) => path === 'person.country')?.confidence ?? 0;
  const alone = confidence({ phone: '+49 30 901820' });
  expect(confidence({ phone: '+49 30 901820', email: 'a@acme.de' })).toBeGreaterThan(alone);
  expect(confidence({ phone: '+49 30 901820', email: 'a@acme.fr' })).toBeLessThan(alone);
});

test.each([
  [{ utm_source: 'google', utm_medium: 'cpc' }, 'paid_search'],
  [{ utm_source: 'facebook', utm_medium: 'paid' }, 'paid_social'],
  [{ utm_source: 'linkedin', utm_medium: 'cpc' }, 'paid_social'],
  [{ utm_source: 'newsletter', utm_medium: 'email' }, 'email'],
  [{ utm_medium: 'display' }, 'display'],
  [{ gclid: 'x' }, 'paid_search'],
  [{ msclkid: 'x' }, 'paid_search'],
  [{ li_fat_id: 'x' }, 'paid_social'],
  [{ fbclid: 'x' }, 'organic_social'],
  [{ page_url: 'https://acme.com/a?gclid=1' }, 'paid_search'],
  [{ page_url: 'https://acme.com/a', referrer: 'https://www.google.de/' }, 'organic_search'],
  [{ page_url: 'https://acme.com/a', referrer: 'https://t.co/x' }, 'organic_social'],
  [{ page_url: 'https://acme.com/a', referrer: 'https://blog.example.org/x' }, 'referral'],
  [{ page_url: 'https://acme.com/a', referrer: 'https://www.acme.com/b' }, 'direct'],
  [{ page_url: 'https://acme.com/a' }, 'direct'],
  [{ _context: { page: 'https://acme.com/a', campaign: { gclid: 'x' } } }, 'paid_search'],
  [{ _context: { page: 'https://acme.com/a', campaign: { utm_medium: 'email' } } }, 'email'],
  [{ _context: { page: 'https://acme.com/a', referrer: 'https://www.google.de/' } }, 'organic_search'],
  [{ _context: { page: 'https://acme.com/a', referrer: '' } }, 'direct'],
  [{ email: 'a@acme.com' }, undefined],
])('the visit %j came through the channel %s', (fields, channel) => {
  expect(saysOf(attribution, fields)['attribution.channel']).toBe(channel);
});

test('campaign parameters are read from fields and from the URL of the page', () => {
  const fields = { 'UTM-Source': 'google', page: 'https://acme.com/pricing?utm_campaign=spring&gclid=abc' };
  expect(saysOf(attribution, fields)).toMatchObject({
    'attribution.source': 'google',
    'attribution.campaign': 'spring',
    'attribution.click_id.type': 'gclid',
    'attribution.click_id.value': 'abc',
    'attribution.landing_path': '/pricing',
  });
});

test.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Lovelace, Ada', 'Ada', 'Lovelace'],
  ['Dr. Ada King Lovelace', 'Ada King', 'Lovelace'],
  ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
  ['María de la Cruz', 'María', 'de la Cruz'],
  ['John Smith Jr.', 'John', 'Smith'],
  ['Ada', 'Ada', null],
])('the name %j is %s %s', (text, first, last) => {
  expect(splitName(text)).toEqual({ first, last });
});

test.each([['山田太郎'], ['ada@acme.com'], ['see http://x'], ['Agent 007']])(
  'the name %j is not split',
  (text) => {
    expect(splitName(text)).toBeNull();
  },
);

test.each([
  ['ADA', 'Ada'],
  ["o'brien", "O'Brien"],
  ['mcdonald', 'McDonald'],
  ['anne-marie', 'Anne-Marie'],
  ['VAN DER BERG', 'van der Berg'],
  ['DeShawn', 'DeShawn'],
  ['山田', '山田'],
])('the name %j becomes %s', (text, expected) => {
  expect(usualCase(text)).toBe(expected);
});

test('a name in a company email address is a guess, at a free email provider it is ignored', () => {
  expect(saysOf(name, { email: 'ada.lovelace@acme.de' })).toMatchObject({ 'person.last_name': 'Lovelace' });
  expect(saysOf(name, { email: 'ada.lovelace@gmail.com' })).toEqual({});
});
