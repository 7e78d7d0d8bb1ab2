import { providerVersions } from '../../../domain/enrichment/provider-versions.ts';
import type { Input, InputEmail } from '../../reading/input.ts';
import type { BuiltinProvider, FieldValue } from '../provider.ts';

const roleNames = new Set(
  `admin administrator info contact kontakt office sales vertrieb marketing support help hello hallo hi team mail post
  service billing accounting buchhaltung invoice rechnung hr jobs careers press presse media news newsletter webmaster
  postmaster hostmaster abuse noreply no-reply enquiries inquiries orders shop reception empfang contacto contatto
  ventas comercial bonjour accueil compta secretariat info-de privacy legal security it dev`.split(/\s+/),
);
/** Providers that deliver tagged addresses to the untagged one. */
const taggingDomains = new Set(
  'gmail.com outlook.com hotmail.com live.com icloud.com me.com proton.me protonmail.com fastmail.com'.split(
    ' ',
  ),
);
const guessConfidence = 0.4;

export const emailDomain: BuiltinProvider = {
  id: 'email_domain',
  version: providerVersions.email_domain,
  phase: 'builtin',
  text: 'Kind of email provider, the address without the parts it ignores, the probably intended address, and the company that the domain suggests.',
  enrich(input) {
    return [...(input.email === null ? [] : aboutAddress(input.email)), ...aboutCompany(input)];
  },
};

function aboutAddress(email: InputEmail): FieldValue[] {
  const role = roleNames.has(email.local.toLowerCase().split('+')[0] as string);
  return [
    { path: 'email.domain', value: email.domain, confidence: 1, method: 'normalised' },
    { path: 'email.canonical', value: canonicalAddress(email), confidence: 0.95, method: 'normalised' },
    { path: 'email.class', value: email.class, confidence: 0.9, method: 'derived' },
    { path: 'email.role', value: role, confidence: 0.9, method: 'derived' },
    ...suggestion(email),
  ];
}

function suggestion({ local, meant }: InputEmail): FieldValue[] {
  if (meant === null) return [];
  return [{ path: 'email.suggestion', value: `${local}@${meant}`, confidence: 0.8, method: 'derived' }];
}

/** If the provider is not known to drop tags, the tag may be part of the real address. */
export function canonicalAddress({ local, domain }: Pick<InputEmail, 'local' | 'domain'>): string {
  const home = domain === 'googlemail.com' ? 'gmail.com' : domain;
  let name = local.toLowerCase();
  if (taggingDomains.has(home)) name = name.split('+')[0] || name;
  if (home === 'gmail.com') name = name.replaceAll('.', '') || name;
  return `${name}@${home}`;
}

function aboutCompany({ domain, domainFrom, company }: Input): FieldValue[] {
  if (domain === null) return [];
  const label = domain.split('.')[0] as string;
  const matches = company !== null && resembles(company, label);
  const confidence = matches ? 0.95 : domainFrom === 'website' ? 0.9 : 0.8;
  const fields: FieldValue[] = [{ path: 'company.domain', value: domain, confidence, method: 'derived' }];
  const name = nameFromLabel(label);
  if (name !== null)
    fields.push({ path: 'company.name', value: name, confidence: guessConfidence, method: 'guess' });
  return fields;
}

/** `acme-tools` is probably Acme Tools; punycode is not worth a guess. */
function nameFromLabel(label: string): string | null {
  if (label.startsWith('xn--') || label.length < 2) return null;
  const words = label.split('-').filter((word) => word !== '');
  return words
    .map((word) => (word.length <= 3 ? word.toUpperCase() : word[0]?.toUpperCase() + word.slice(1)))
    .join(' ');
}

const legalForms =
  /\b(?:gmbh|ag|se|kg|ohg|ug|inc|llc|ltd|limited|corp|co|plc|sarl|sas|sa|sl|srl|bv|nv|oy|ab|as|aps|group|holding)\b/g;

/** True if the domain is the company's name, its beginning, or its initials. */
export function resembles(company: string, label: string): boolean {
  const words = company
    .slice(0, 100)
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(legalForms, ' ')
    .trim()
    .split(/\s+/);
  const joined = words.join('');
  const bare = label.replaceAll('-', '');
  if (joined.length < 2 || bare.length < 2) return false;
  const initials = words.map((word) => word[0] ?? '').join('');
  return (
    joined === bare ||
    (bare.length >= 4 && joined.startsWith(bare)) ||
    (joined.length >= 4 && bare.startsWith(joined)) ||
    (initials.length >= 2 && initials === bare)
  );
}
