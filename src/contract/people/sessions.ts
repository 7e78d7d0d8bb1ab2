import { z } from 'zod';
import { call, json, none } from '../call.ts';
import { id, time } from '../shape.ts';

const session = z
  .object({
    id: id.describe('Identifies the session, and gives no access to it.'),
    current: z.boolean().describe('True for the session of this request.'),
    name: z.string().describe('The browser and system, such as `Chrome on macOS`.'),
    browser: z.string().nullable().describe('Null if unknown.'),
    system: z.string().nullable().describe('Null if unknown.'),
    address: z.string().nullable().describe('The IP address from which the person signed in.'),
    same_network: z
      .boolean()
      .describe('True if this request comes from the same IP address (IPv6: the same /64).'),
    created_at: time.describe('When the person signed in.'),
    last_seen_at: time.describe('When the session was last used, within five minutes.'),
    expires_at: time,
  })
  .meta({ id: 'Session' });
const sessions = z.object({ items: z.array(session) }).meta({ id: 'Sessions' });
const endedSessions = z
  .object({ ended: z.int().describe('How many sessions were ended.') })
  .meta({ id: 'EndedSessions' });

export type Session = z.output<typeof session>;

export const listSessions = call({
  method: 'get',
  path: '/me/sessions',
  tag: 'Account',
  summary: 'List your sessions',
  description: 'The current session first, then the others, last used first. Not more than 100.',
  access: { by: 'person' },
  answer: json(200, sessions),
});

export const endSession = call({
  method: 'delete',
  path: '/me/sessions/:session_id',
  tag: 'Account',
  summary: 'End one of your sessions',
  description: 'Takes effect immediately, on every instance.',
  access: { by: 'person' },
  audit: 'itself',
  answer: none,
  problems: ['not_found'],
});

export const endOtherSessions = call({
  method: 'delete',
  path: '/me/sessions',
  tag: 'Account',
  summary: 'End your other sessions',
  description: 'Ends all sessions of the person except the one of this request, on every instance.',
  access: { by: 'person' },
  audit: 'itself',
  answer: json(200, endedSessions),
});
