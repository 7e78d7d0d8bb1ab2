const yearSeconds = 31_536_000;

/**
 * Tells browsers to use nothing but https from now on, where people reach the service that way. For this host alone:
 * what else runs below its name is not ours to decide. Ingest answers go without: senders are no browsers, and their
 * answers stay as they are.
 */
export function transportSecurity(publicUrl: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${yearSeconds}` } : {};
}
