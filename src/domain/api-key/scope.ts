/** What an API key may do. The list is closed: a key has some of these and nothing else. */
export const scopes = [
  'leads:read',
  'leads:mark',
  'leads:erase',
  'views:write',
  'forms:read',
  'forms:write',
  'tokens:write',
  'destinations:read',
  'destinations:write',
  'diagnostics:read',
  'held:decide',
  'alarms:read',
  'alarms:write',
  'events:read',
  'browser:mint',
] as const;
export type Scope = (typeof scopes)[number];
