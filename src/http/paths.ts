/** Which part of the service a request is for. The slug is null when its percent-encoding cannot be read. */
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
 * Paths are compared as sent: no folding of "//", "..", case or escapes, so that there is one way to spell
 * each. Whatever stands below an ingest path, also nothing or a further "/", is taken as a slug.
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
