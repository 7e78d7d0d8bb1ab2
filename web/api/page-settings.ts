/** What the service writes into the page: the URL for senders and the header names. */
const data = document.querySelector<HTMLMetaElement>('meta[name="leadgate"]')?.dataset ?? {};

export const publicUrl = data.publicUrl ?? window.location.origin;
export const headerPrefix = data.headerPrefix ?? 'X-SVC-';
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export function ingestUrl(slug?: string): string {
  return `${publicUrl}/api/v1/ingest${slug === undefined ? '' : `/${slug}`}`;
}
