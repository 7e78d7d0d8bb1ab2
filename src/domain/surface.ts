/**
 * Where a lead arrives: `server` is the token surface (Bearer token), `webhook` the webhook surface (signed requests),
 * `browser` the browser surface (web pages).
 */
export const surfaces = ['server', 'webhook', 'browser'] as const;
export type Surface = (typeof surfaces)[number];
