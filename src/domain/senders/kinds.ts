/** A part of what a sender signs; any other text is a literal. `t` is the timestamp in the signature's own header. */
type SignedPart = 'body' | 'method' | 'url' | 't' | `header:${string}` | ':' | '.' | 'hmacsha256=';

/** How a sender signs its requests with a secret of the form. */
interface SignatureScheme {
  readonly header: string;
  readonly encoding: 'hex' | 'base64';
  /** In front of the signature. */
  readonly prefix?: string;
  /** The header is a list such as `t=1765432100,v1=…`, with signatures under this label. */
  readonly label?: string;
  /** The header is a list of signatures, separated by spaces. */
  readonly isList?: boolean;
  readonly signed: readonly SignedPart[];
  /** The bytes of the secret as text, or those that it is the base64 of, after `whsec_`. */
  readonly key?: 'whsec';
}

export interface SenderKind {
  readonly id: string;
  /** As people call it. */
  readonly name: string;
  /** Null for a sender that puts the secret itself into the body. */
  readonly scheme: SignatureScheme | null;
}

const ofBody = ['body'] as const;
const timed = ['t', '.', 'body'] as const;

const standard = (prefix: string): SignatureScheme => ({
  header: `${prefix}-signature`,
  encoding: 'base64',
  prefix: 'v1,',
  isList: true,
  signed: [`header:${prefix}-id`, '.', `header:${prefix}-timestamp`, '.', 'body'],
  key: 'whsec',
});

const base64 = (header: string, prefix?: string): SignatureScheme => ({
  header,
  encoding: 'base64',
  ...(prefix === undefined ? {} : { prefix }),
  signed: ofBody,
});

const labelled = (header: string, label: string): SignatureScheme => ({
  header,
  encoding: 'hex',
  label,
  signed: timed,
});

/** Senders that sign by a scheme of their own, and cannot sign by ours. */
export const senderKinds = [
  { id: 'typeform', name: 'Typeform', scheme: base64('typeform-signature', 'sha256=') },
  {
    id: 'webflow',
    name: 'Webflow',
    scheme: {
      header: 'x-webflow-signature',
      encoding: 'hex',
      signed: ['header:x-webflow-timestamp', ':', 'body'],
    },
  },
  { id: 'standard_webhooks', name: 'A sender of Standard Webhooks', scheme: standard('webhook') },
  { id: 'svix', name: 'A sender that uses Svix', scheme: standard('svix') },
  { id: 'google_ads', name: 'Google Ads', scheme: null },
  {
    id: 'meta',
    name: 'Meta',
    scheme: { header: 'x-hub-signature-256', encoding: 'hex', prefix: 'sha256=', signed: ofBody },
  },
  { id: 'tally', name: 'Tally', scheme: base64('tally-signature') },
  { id: 'calendly', name: 'Calendly', scheme: labelled('calendly-webhook-signature', 'v1') },
  {
    id: 'cal_com',
    name: 'Cal.com',
    scheme: { header: 'x-cal-signature-256', encoding: 'hex', prefix: 'sha256=', signed: ofBody },
  },
  { id: 'shopify', name: 'Shopify', scheme: base64('x-shopify-hmac-sha256') },
  { id: 'woocommerce', name: 'WooCommerce', scheme: base64('x-wc-webhook-signature') },
  { id: 'stripe', name: 'Stripe', scheme: labelled('stripe-signature', 'v1') },
  {
    id: 'hubspot',
    name: 'HubSpot',
    scheme: {
      header: 'x-hubspot-signature-v3',
      encoding: 'base64',
      signed: ['method', 'url', 'body', 'header:x-hubspot-request-timestamp'],
    },
  },
  {
    id: 'linkedin',
    name: 'LinkedIn',
    scheme: { header: 'x-li-signature', encoding: 'hex', signed: ['hmacsha256=', 'body'] },
  },
  { id: 'wpforms', name: 'WPForms', scheme: labelled('x-wpforms-webhook-signature', 'v') },
  // With the same header as Meta.
  { id: 'github', name: 'GitHub', scheme: null },
] as const satisfies readonly SenderKind[];

export type SenderKindId = (typeof senderKinds)[number]['id'];

/** Whose calls we can turn into leads. The others can only be looked at. */
export const readableSenders = [
  'typeform',
  'webflow',
  'standard_webhooks',
  'svix',
  'google_ads',
] as const satisfies readonly SenderKindId[];

export type ReadableSender = (typeof readableSenders)[number];

export function isReadableSender(sender: string | null): sender is ReadableSender {
  return readableSenders.some((readable) => readable === sender);
}

export function senderName(id: string): string {
  return senderKinds.find((kind) => kind.id === id)?.name ?? 'Another sender';
}
