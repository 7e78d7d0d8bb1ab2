import { channels, departments, seniorities, sizeRanges } from './vocabulary.ts';

/** `text` is one line, `link` an http(s) address, `country` two letters of ISO 3166-1. */
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

/** Everything enrichment can say about a lead: the only source for the merged view, the API and the documentation. */
export const enrichmentFields: readonly EnrichmentField[] = [
  { path: 'company.name', type: 'text', text: 'Name of the company' },
  { path: 'company.legal_name', type: 'text', text: 'Its registered name' },
  { path: 'company.domain', type: 'text', text: 'Its registrable domain' },
  { path: 'company.website', type: 'link', text: 'Its web site' },
  { path: 'company.description', type: 'text', text: 'What it says about itself' },
  { path: 'company.logo', type: 'link', text: 'Address of its logo; the picture itself is not fetched' },
  { path: 'company.industry', type: 'text', text: 'Its industry' },
  { path: 'company.size_range', type: sizeRanges, text: 'Number of employees' },
  { path: 'company.country', type: 'country', text: 'Country of the company' },
  { path: 'company.city', type: 'text', text: 'City of the company' },
  { path: 'company.phones', type: 'texts', text: 'Its phone numbers' },
  { path: 'company.socials.linkedin', type: 'link', text: 'Its page on LinkedIn' },
  { path: 'company.socials.x', type: 'link', text: 'Its page on X' },
  { path: 'company.socials.facebook', type: 'link', text: 'Its page on Facebook' },
  { path: 'company.socials.instagram', type: 'link', text: 'Its page on Instagram' },
  { path: 'company.socials.youtube', type: 'link', text: 'Its channel on YouTube' },
  { path: 'company.socials.github', type: 'link', text: 'Its page on GitHub' },
  { path: 'company.socials.xing', type: 'link', text: 'Its page on XING' },
  { path: 'company.tech', type: 'texts', text: 'Software its site is made with' },
  { path: 'company.mail.provider', type: 'text', text: 'Who receives its mail' },
  { path: 'company.mail.gateway', type: 'text', text: 'The filter its mail goes through first' },
  {
    path: 'company.mail.spf',
    type: ['none', 'neutral', 'soft_fail', 'fail', 'pass_all'],
    text: 'Its SPF policy',
  },
  { path: 'company.mail.dmarc', type: ['missing', 'none', 'quarantine', 'reject'], text: 'Its DMARC policy' },
  { path: 'person.first_name', type: 'text', text: 'Given name' },
  { path: 'person.last_name', type: 'text', text: 'Family name' },
  { path: 'person.title', type: 'text', text: 'Job title' },
  { path: 'person.seniority', type: seniorities, text: 'Level of the job title' },
  { path: 'person.department', type: departments, text: 'Department of the job title' },
  { path: 'person.country', type: 'country', text: 'Country of the person' },
  { path: 'person.timezone', type: 'text', text: 'Time zone, such as `Europe/Berlin`' },
  { path: 'person.language', type: 'text', text: 'Language, as a BCP 47 tag' },
  { path: 'email.domain', type: 'text', text: 'Domain of the address' },
  { path: 'email.canonical', type: 'text', text: 'The address without what the mail service ignores' },
  { path: 'email.class', type: 'text', text: 'Kind of mail service, as the score sees it' },
  { path: 'email.role', type: 'flag', text: 'Whether it belongs to a role, such as info@, not to a person' },
  {
    path: 'email.suggestion',
    type: 'text',
    text: 'The address the person probably meant, for a slip in its domain',
  },
  { path: 'email.mail_server', type: 'text', text: 'The server that takes its mail first' },
  { path: 'email.deliverability', type: deliverabilities, text: 'Whether the domain takes mail' },
  { path: 'phone.e164', type: 'text', text: 'The number in international form' },
  { path: 'phone.national', type: 'text', text: 'The number as written in its country' },
  { path: 'phone.country', type: 'country', text: 'Country of the number' },
  { path: 'phone.type', type: 'text', text: 'Kind of number, such as mobile or fixed_line' },
  { path: 'attribution.source', type: 'text', text: '`utm_source`' },
  { path: 'attribution.medium', type: 'text', text: '`utm_medium`' },
  { path: 'attribution.campaign', type: 'text', text: '`utm_campaign`' },
  { path: 'attribution.term', type: 'text', text: '`utm_term`' },
  { path: 'attribution.content', type: 'text', text: '`utm_content`' },
  { path: 'attribution.click_id.type', type: 'text', text: 'Kind of click id, such as `gclid`' },
  { path: 'attribution.click_id.value', type: 'text', text: 'The click id' },
  { path: 'attribution.channel', type: channels, text: 'Channel the person came through' },
  { path: 'attribution.landing_path', type: 'text', text: 'Path of the page they landed on' },
  { path: 'attribution.referrer_domain', type: 'text', text: 'Domain of the page they came from' },
];

const fieldByPath = new Map(enrichmentFields.map((field) => [field.path, field]));

export function enrichmentField(path: string): EnrichmentField | null {
  return fieldByPath.get(path) ?? null;
}
