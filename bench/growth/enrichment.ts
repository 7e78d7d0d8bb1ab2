const found = (method: string, provider: string, confidence: number) => ({ method, provider, confidence });
const provider = (id: string, outcome: string, phase = 'builtin') => ({ id, phase, outcome, version: 1 });

/** What the service writes about a lead with a name, an address, a phone number and a campaign, without network access. */
export const fullEnrichment = JSON.stringify({
  schema: 1,
  status: 'builtin_only',
  email: { role: false, class: 'free', domain: 'gmail.com', canonical: 'mariakeller49@gmail.com' },
  phone: { e164: '+49309010343', type: 'fixed_line', country: 'DE', national: '030 9010343' },
  person: { country: 'DE', timezone: 'Europe/Berlin', last_name: 'Keller', first_name: 'Maria' },
  company: { name: 'Alder & Finch' },
  attribution: { medium: 'cpc', source: 'google', channel: 'paid_search', campaign: 'brand-search' },
  providers: [
    ...['typed', 'email_domain', 'phone', 'country', 'attribution', 'name'].map((id) =>
      provider(id, 'found'),
    ),
    provider('title', 'none'),
    ...['mx', 'site', 'external'].map((id) => ({ ...provider(id, 'skip', 'http'), why: 'offline' })),
  ],
  provenance: {
    'email.role': found('derived', 'email_domain', 0.9),
    'email.class': found('derived', 'email_domain', 0.9),
    'email.domain': found('normalised', 'email_domain', 1),
    'email.canonical': found('normalised', 'email_domain', 0.95),
    'phone.e164': found('normalised', 'phone', 0.95),
    'phone.type': found('derived', 'phone', 0.95),
    'phone.country': found('derived', 'phone', 0.95),
    'phone.national': found('normalised', 'phone', 0.95),
    'person.country': found('derived', 'country', 0.6),
    'person.timezone': found('derived', 'country', 0.6),
    'person.last_name': found('normalised', 'name', 0.85),
    'person.first_name': found('normalised', 'name', 0.85),
    'company.name': found('submitted', 'typed', 1),
    'attribution.medium': found('normalised', 'attribution', 1),
    'attribution.source': found('normalised', 'attribution', 1),
    'attribution.channel': found('derived', 'attribution', 0.85),
    'attribution.campaign': found('normalised', 'attribution', 1),
  },
});
