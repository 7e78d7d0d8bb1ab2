const yearSeconds = 31_536_000;

/**
 * Tells browsers to use only https from now on, if PUBLIC_URL is https. It covers this host alone, not its subdomains.
 * Ingest responses never have it: senders are not browsers, and those responses are fixed.
 */
export function transportSecurity(publicUrl: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${yearSeconds}` } : {};
}
