/** Where a lead arrives: `server` is the token surface (Bearer token), `webhook` the webhook surface (signed requests). */
export const surfaces = ['server', 'webhook'] as const;
export type Surface = (typeof surfaces)[number];
