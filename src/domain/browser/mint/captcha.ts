import type { CaptchaProvider } from '../protection.ts';

/** What a page got from the widget of a third party, which alone can say whether it has seen a person. */
export interface CaptchaQuestion {
  readonly provider: CaptchaProvider;
  readonly siteKey: string;
  readonly secret: string;
  readonly response: string;
  /** Of the page. */
  readonly origin: string;
  readonly formId: string;
  readonly nonce: string;
}

/** What the snippet gives to Turnstile as action, if it gives one. */
const turnstileAction = 'leadgate';

/** The address of the visitor is left out: the third party has seen it already, and is told nothing more. */
export function captchaFields({
  provider,
  secret,
  response,
  siteKey,
  nonce,
}: CaptchaQuestion): URLSearchParams {
  const own = provider === 'turnstile' ? { idempotency_key: uuidOf(nonce) } : { sitekey: siteKey };
  return new URLSearchParams({ secret, response, ...own });
}

/** Whether the response confirms this visitor on this page, and not only any visitor on any page. */
export function isConfirmed(reply: unknown, { provider, origin }: CaptchaQuestion): boolean {
  if (typeof reply !== 'object' || reply === null) return false;
  const { success, hostname, action } = reply as Record<string, unknown>;
  if (success !== true || hostname !== new URL(origin).hostname) return false;
  const hasAction = provider === 'turnstile' && action !== undefined && action !== '';
  return !hasAction || action === turnstileAction;
}

/** In the shape of a random UUID, from the 32 hexadecimal digits of a nonce. */
function uuidOf(nonce: string): string {
  return nonce.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
