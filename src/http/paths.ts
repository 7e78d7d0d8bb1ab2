/** The part of the service that a request is for. The slug is null when its percent-encoding is invalid. */
export type Destination =
  | { readonly kind: 'server' }
  | { readonly kind: 'webhook'; readonly slug: string | null }
  | { readonly kind: 'retired' }
  | { readonly kind: 'other' };

const ingestPath = '/api/v1/ingest';
const retiredPath = '/api/ingest';
const server: Destination = { kind: 'server' };
const retired: Destination = { kind: 'retired' };
const other: Destination = { kind: 'other' };

/**
 * Paths are compared as sent, without normalising "//", "..", case or escapes, so that each has one spelling. Everything
 * after "/api/v1/ingest/" is the slug, even if it is empty or contains another "/".
 */
export function destinationOf(target: string): Destination {
  if (target === ingestPath) return server;
  const path = pathOf(target);
  if (path === ingestPath) return server;
  if (path.startsWith(`${ingestPath}/`))
    return { kind: 'webhook', slug: decode(path.slice(ingestPath.length + 1)) };
  if (path === retiredPath || path.startsWith(`${retiredPath}/`)) return retired;
  return other;
}

/** Without query and fragment. A proxy may send the absolute form: POST http://host/path */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
