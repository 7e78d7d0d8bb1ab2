/**
 * What each provider that is the same for everybody can do, as a number that grows with it. A lead whose enrichment was
 * made by a lower one is enriched anew when somebody opens it.
 */
export const providerVersions = {
  typed: 2,
  email_domain: 2,
  phone: 1,
  country: 2,
  title: 1,
  attribution: 1,
  name: 1,
  mx: 2,
  site: 1,
} as const;
