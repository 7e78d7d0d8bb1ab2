/** The closed lists of words that enrichment speaks in. Their order is the order of the documentation. */
export const phases = ['builtin', 'dns', 'http', 'external'] as const;
export type Phase = (typeof phases)[number];

/** How far the service may reach out: what the phases before it may, and more. */
export const networkModes = ['off', 'dns', 'full'] as const;
export type NetworkMode = (typeof networkModes)[number];

export const phasesAllowed: Record<NetworkMode, readonly Phase[]> = {
  off: ['builtin'],
  dns: ['builtin', 'dns'],
  full: phases,
};

export const enrichmentStatuses = ['builtin_only', 'complete', 'partial', 'failed'] as const;
export type EnrichmentStatus = (typeof enrichmentStatuses)[number];

/** `pending` is shown for a provider that has yet to be asked. */
export const providerOutcomes = ['found', 'none', 'skip', 'retry', 'fail', 'pending'] as const;
export type ProviderOutcome = (typeof providerOutcomes)[number];

/** Why a provider is not asked about a lead. */
export const skipReasons = {
  offline: 'the operator does not allow its phase',
  no_input: 'the lead says nothing that could be asked about',
  free_mail: 'the address belongs to no company',
  disabled: 'nobody has set it up',
  policy: 'the lead is not clean, or not any more',
  budget: 'the questions of the day are used up',
} as const;
export type SkipReason = keyof typeof skipReasons;

/**
 * How a value was found, the most trusted first: where two providers differ, the method that stands higher wins.
 * What the person typed stands first, in their own words or in another notation.
 */
export const methods = {
  submitted: 'the person typed it',
  normalised: 'the person typed it; this is another notation of the same',
  external: 'the external provider of the workspace said so',
  json_ld: 'the home page of the company says so in its structured data',
  dns: 'the name servers of the domain say so',
  meta: 'the home page of the company says so in its title, description or links',
  derived: 'it follows from what the person typed by a rule',
  guess: 'it is likely, by the name of the domain',
} as const;
export type Method = keyof typeof methods;

export const seniorities = [
  'owner',
  'founder',
  'c_suite',
  'partner',
  'vp',
  'head',
  'director',
  'manager',
  'senior',
  'entry',
  'intern',
  'unknown',
] as const;
export type Seniority = (typeof seniorities)[number];

export const departments = [
  'sales',
  'marketing',
  'engineering',
  'it',
  'product',
  'design',
  'data',
  'finance',
  'human_resources',
  'legal',
  'operations',
  'purchasing',
  'customer_service',
  'communications',
  'education',
  'research',
  'medical',
  'executive',
] as const;
export type Department = (typeof departments)[number];

export const channels = [
  'paid_search',
  'paid_social',
  'display',
  'affiliate',
  'email',
  'organic_search',
  'organic_social',
  'referral',
  'direct',
  'other',
] as const;
export type Channel = (typeof channels)[number];

export const sizeRanges = [
  '1-10',
  '11-50',
  '51-250',
  '251-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
] as const;
