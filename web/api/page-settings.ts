/** What the service writes into the page: the URL for senders and the header names. The build reads the routes without a page. */
const page = globalThis.document as Document | undefined;
const data = page?.querySelector<HTMLMetaElement>('meta[name="leadgate"]')?.dataset ?? {};

export const publicUrl = data.publicUrl ?? globalThis.location?.origin;
export const headerPrefix = data.headerPrefix ?? 'X-SVC-';
export const styleNonce = page?.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export function ingestUrl(slug?: string): string {
  return `${publicUrl}/api/v1/ingest${slug === undefined ? '' : `/${slug}`}`;
}
