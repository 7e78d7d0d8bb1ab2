/** The part of the service that a request is for. The slug is null when its percent-encoding is invalid. */
export type Destination =
  | { readonly kind: 'server' }
  | { readonly kind: 'webhook'; readonly slug: string | null }
  | { readonly kind: 'retired' }
  | BrowserDestination
  | { readonly kind: 'other' };

/** What web pages use. Every response there may be read by any page. */
export type BrowserDestination =
  | { readonly kind: 'browser' }
  /** A form that a browser without script posts. */
  | { readonly kind: 'no-script'; readonly publicKey: string }
  | { readonly kind: 'challenges' }
  | { readonly kind: 'tokens' }
  | { readonly kind: 'browser-other' };

const ingestPath = '/api/v1/ingest';
const retiredPath = '/api/ingest';
const browserPath = '/api/v1/browser';
const noScriptPath = `${browserPath}/forms/`;
const browserDestinations: ReadonlyMap<string, BrowserDestination> = new Map([
  [`${browserPath}/submissions`, { kind: 'browser' }],
  [`${browserPath}/challenges`, { kind: 'challenges' }],
  [`${browserPath}/tokens`, { kind: 'tokens' }],
]);
const browserOther: BrowserDestination = { kind: 'browser-other' };
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
  if (path === browserPath || path.startsWith(`${browserPath}/`)) return browserDestination(path);
  if (path === retiredPath || path.startsWith(`${retiredPath}/`)) return retired;
  return other;
}

function browserDestination(path: string): BrowserDestination {
  if (path.startsWith(noScriptPath)) return { kind: 'no-script', publicKey: path.slice(noScriptPath.length) };
  return browserDestinations.get(path) ?? browserOther;
}

const browserKinds: ReadonlySet<string> = new Set<BrowserDestination['kind']>([
  'browser',
  'no-script',
  'challenges',
  'tokens',
  'browser-other',
]);

export function isForBrowsers(destination: Destination): destination is BrowserDestination {
  return browserKinds.has(destination.kind);
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
