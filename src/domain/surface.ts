/** Where a lead comes in: `server` is Surface 1a (Bearer token), `webhook` is Surface 1b (signed slug webhook). */
export const surfaces = ['server', 'webhook'] as const;
export type Surface = (typeof surfaces)[number];
