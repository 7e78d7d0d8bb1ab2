/** The enums of enrichment, in the order of the documentation. */
export const phases = ['builtin', 'dns', 'http', 'external'] as const;
export type Phase = (typeof phases)[number];

/** How far the service may reach out; each mode includes the one before it. */
export const networkModes = ['off', 'dns', 'full'] as const;
export type NetworkMode = (typeof networkModes)[number];

export const phasesAllowed: Record<NetworkMode, readonly Phase[]> = {
  off: ['builtin'],
  dns: ['builtin', 'dns'],
  full: phases,
};

export const enrichmentStatuses = ['builtin_only', 'complete', 'partial', 'failed'] as const;
export type EnrichmentStatus = (typeof enrichmentStatuses)[number];

/** `pending` is shown for a provider that has not been asked yet. */
export const providerOutcomes = ['found', 'none', 'skip', 'retry', 'fail', 'pending'] as const;
export type ProviderOutcome = (typeof providerOutcomes)[number];

/** Why a provider is not asked about a lead. */
export const skipReasons = {
  offline: 'the operator does not allow its phase',
  no_input: 'the lead has no data to look up',
  free_mail: 'the email address does not belong to a company',
  disabled: 'it is not set up',
  policy: 'the lead is not clean',
  budget: 'the daily limit is reached',
} as const;
export type SkipReason = keyof typeof skipReasons;

/**
 * How a value was found, most trusted first: where providers differ, the higher method wins. What the person typed
 * comes first.
 */
export const methods = {
  submitted: 'the person typed it',
  normalised: 'the person typed it; this is another notation of it',
  external: 'from the external provider of the workspace',
  json_ld: "from structured data on the company's home page",
  dns: 'from DNS records of the domain',
  meta: "from the title, description or links of the company's home page",
  derived: 'derived by a rule from what the person typed',
  guess: 'guessed from the domain name',
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
