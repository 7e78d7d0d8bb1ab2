import { type Scope, scopes } from '../../domain/api-key/scope.ts';

export type { Scope };

/** In the order in which people choose. */
export const offeredScopes: readonly Scope[] = scopes;

/** What each lets a program do, for people who choose. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  'leads:read': 'Read, search and export leads, with their bodies and history.',
  'leads:mark': 'Mark leads as spam or not spam.',
  'leads:erase': 'Erase leads permanently.',
  'views:write': 'Save, change and delete saved views of leads.',
  'forms:read': 'Read forms, with their scoring and enrichment settings.',
  'forms:write': 'Create, change and delete forms, with their settings.',
  'tokens:write': 'List, create, rotate and revoke ingest tokens, and set webhook secrets.',
  'destinations:read': 'Read destinations and deliveries.',
  'destinations:write':
    'Pause and delete destinations. With leads:read, also create, change, resume and test them, and send deliveries again.',
  'diagnostics:read': 'Read diagnostics and use the signature debugger.',
  'held:decide': 'Admit and discard held submissions. With leads:read, also read them.',
  'alarms:read': 'Read alarms and their settings, and when a form usually gets leads.',
  'alarms:write': 'Acknowledge alarms and change their settings.',
  'events:read': 'Read the feed of events.',
  'browser:mint': 'Create tokens for browsers.',
};
