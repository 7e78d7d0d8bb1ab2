import { channels, departments, seniorities, sizeRanges } from './vocabulary.ts';

/** `text` is one line, `link` an http(s) URL, `country` a two-letter ISO 3166-1 code. */
export type FieldType = 'text' | 'link' | 'country' | 'flag' | 'texts' | readonly string[];

export interface EnrichmentField {
  readonly path: string;
  readonly type: FieldType;
  readonly text: string;
}

const deliverabilities = ['unknown', 'likely', 'undeliverable'] as const;
export const textCharactersMax = 255;
export const linkCharactersMax = 2_000;
export const textsMax = 10;

/** All enrichment fields: the only source for the merged view, the API and the documentation. */
export const enrichmentFields: readonly EnrichmentField[] = [
  { path: 'company.name', type: 'text', text: 'Company name' },
  { path: 'company.legal_name', type: 'text', text: 'Registered name' },
  { path: 'company.domain', type: 'text', text: 'Registrable domain' },
  { path: 'company.website', type: 'link', text: 'Website' },
  { path: 'company.description', type: 'text', text: 'Description from its website' },
  { path: 'company.logo', type: 'link', text: 'URL of the logo; the image itself is not fetched' },
  { path: 'company.industry', type: 'text', text: 'Industry' },
  { path: 'company.size_range', type: sizeRanges, text: 'Number of employees' },
  { path: 'company.country', type: 'country', text: 'Country of the company' },
  { path: 'company.city', type: 'text', text: 'City of the company' },
  { path: 'company.phones', type: 'texts', text: 'Phone numbers' },
  { path: 'company.socials.linkedin', type: 'link', text: 'LinkedIn page' },
  { path: 'company.socials.x', type: 'link', text: 'X page' },
  { path: 'company.socials.facebook', type: 'link', text: 'Facebook page' },
  { path: 'company.socials.instagram', type: 'link', text: 'Instagram page' },
  { path: 'company.socials.youtube', type: 'link', text: 'YouTube channel' },
  { path: 'company.socials.github', type: 'link', text: 'GitHub page' },
  { path: 'company.socials.xing', type: 'link', text: 'XING page' },
  { path: 'company.tech', type: 'texts', text: 'Software its website is built with' },
  { path: 'company.mail.provider', type: 'text', text: 'Mail provider' },
  { path: 'company.mail.gateway', type: 'text', text: 'Mail filter in front of the provider' },
  {
    path: 'company.mail.spf',
    type: ['none', 'neutral', 'soft_fail', 'fail', 'pass_all'],
    text: 'SPF policy',
  },
  { path: 'company.mail.dmarc', type: ['missing', 'none', 'quarantine', 'reject'], text: 'DMARC policy' },
  { path: 'person.first_name', type: 'text', text: 'First name' },
  { path: 'person.last_name', type: 'text', text: 'Last name' },
  { path: 'person.title', type: 'text', text: 'Job title' },
  { path: 'person.seniority', type: seniorities, text: 'Seniority of the job title' },
  { path: 'person.department', type: departments, text: 'Department of the job title' },
  { path: 'person.country', type: 'country', text: 'Country of the person' },
  { path: 'person.timezone', type: 'text', text: 'Time zone, such as `Europe/Berlin`' },
  { path: 'person.language', type: 'text', text: 'Language, as a BCP 47 tag' },
  { path: 'email.domain', type: 'text', text: 'Domain of the email address' },
  { path: 'email.canonical', type: 'text', text: 'Email address without the parts its provider ignores' },
  { path: 'email.class', type: 'text', text: 'Kind of email provider, as used by the scorer' },
  { path: 'email.role', type: 'flag', text: 'Whether it is a role address, such as info@' },
  {
    path: 'email.suggestion',
    type: 'text',
    text: 'Probably intended address, if the domain has a typo',
  },
  { path: 'email.mail_server', type: 'text', text: 'Its first mail server' },
  { path: 'email.deliverability', type: deliverabilities, text: 'Whether the domain accepts email' },
  { path: 'phone.e164', type: 'text', text: 'Number in international format' },
  { path: 'phone.national', type: 'text', text: 'Number in national format' },
  { path: 'phone.country', type: 'country', text: 'Country of the number' },
  { path: 'phone.type', type: 'text', text: 'Kind of number, such as mobile or fixed_line' },
  { path: 'attribution.source', type: 'text', text: '`utm_source`' },
  { path: 'attribution.medium', type: 'text', text: '`utm_medium`' },
  { path: 'attribution.campaign', type: 'text', text: '`utm_campaign`' },
  { path: 'attribution.term', type: 'text', text: '`utm_term`' },
  { path: 'attribution.content', type: 'text', text: '`utm_content`' },
  { path: 'attribution.click_id.type', type: 'text', text: 'Type of click ID, such as `gclid`' },
  { path: 'attribution.click_id.value', type: 'text', text: 'Click ID' },
  { path: 'attribution.channel', type: channels, text: 'Marketing channel' },
  { path: 'attribution.landing_path', type: 'text', text: 'Path of the landing page' },
  { path: 'attribution.referrer_domain', type: 'text', text: 'Domain of the referring page' },
];

const fieldByPath = new Map(enrichmentFields.map((field) => [field.path, field]));

export function enrichmentField(path: string): EnrichmentField | null {
  return fieldByPath.get(path) ?? null;
}
