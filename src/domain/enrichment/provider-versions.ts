/**
 * Versions of the providers that every workspace shares. A lead that was enriched by a lower version is enriched again
 * when someone opens it.
 */
export const providerVersions = {
  typed: 2,
  email_domain: 2,
  phone: 1,
  country: 2,
  title: 1,
  attribution: 2,
  name: 1,
  mx: 2,
  site: 1,
} as const;
