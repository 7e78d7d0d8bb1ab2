import type { ReasonNotes } from './reason-note.ts';

export type BrowserReason = keyof typeof browserReasonNotes;

const browser = '[Web pages](browser.md)';
const tokens = '[Browser tokens](browser-tokens.md)';
const limits = '[Limits](limits.md)';

/** The reasons that only requests of web pages have. */
export const browserReasonNotes = {
  token_form_mismatch: {
    group: 'Token',
    surfaces: 'browser',
    causes: ['A backend signs tokens for one form with the mint secret of another.'],
    see: [tokens],
  },
  browser_disabled: {
    group: 'Web pages',
    surfaces: 'browser',
    causes: [
      'Web page was turned off in the Delivery settings of the form.',
      'A page still has the public key of an old form.',
    ],
    see: [browser],
  },
  origin_missing: {
    group: 'Web pages',
    surfaces: 'browser',
    causes: [
      'A program sent the request, not a page.',
      'The page has `Referrer-Policy: no-referrer`, and its form was posted without script.',
      'The page is in a sandboxed frame or a local file, so its origin is `null`.',
    ],
    see: [browser],
  },
  origin_not_allowed: {
    group: 'Web pages',
    surfaces: 'browser',
    causes: [
      'The page is on a domain or port that is not in the list, for example without `www`, or on a staging domain.',
      'Another site copied the form with its public key.',
      'A token was created for one origin and sent from another.',
    ],
    see: [browser],
  },
  mint_limited: {
    group: 'Web pages',
    surfaces: 'browser',
    causes: [
      'Many visitors share one address, for example behind a proxy that `TRUST_PROXY` does not count.',
      'Someone sends many forms from one network.',
    ],
    retry: 'after a minute; a form posted without script is held, so you can admit it',
    see: [limits],
  },
  challenge_failed: {
    group: 'Web pages',
    surfaces: 'browser',
    causes: [
      'The page was open for longer than five minutes between challenge and token.',
      'A program guesses solutions, or sends one solution several times.',
      'Turnstile or hCaptcha did not confirm the visitor.',
    ],
    see: [tokens],
  },
  token_expired: {
    group: 'Web pages',
    surfaces: 'browser',
    causes: [
      'The page got its token when it was loaded, not when the form was sent.',
      'The visitor was offline for longer than the token is valid, and the page could not get another.',
      'The clock of a backend that signs tokens is wrong.',
    ],
    retry: 'with a new token; the SDK does that once',
    see: [tokens],
  },
  token_body_mismatch: {
    group: 'Web pages',
    surfaces: 'browser',
    causes: [
      'The page hashed the lead before it was complete.',
      'Someone sent another lead with a token that they saw.',
    ],
    see: [tokens],
  },
  token_replayed: {
    group: 'Headers and body',
    surfaces: 'browser',
    causes: ['A page or backend used one token for several leads.', 'Someone used a token that they saw.'],
    see: [tokens],
  },
} satisfies ReasonNotes<
  | 'token_form_mismatch'
  | 'browser_disabled'
  | 'origin_missing'
  | 'origin_not_allowed'
  | 'mint_limited'
  | 'challenge_failed'
  | 'token_expired'
  | 'token_body_mismatch'
  | 'token_replayed'
>;
