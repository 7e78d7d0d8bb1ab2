import { z } from 'zod';
import type { TokenType } from '../domain/token.ts';
import { tokenHealths } from '../domain/tokens/token-health.ts';
import { call, json, none, page } from './call.ts';
import { id, line, pageOf, pageQuery, strict, time, timeInput } from './shape.ts';
import { handoverLink } from './tokens/handover-links.ts';

const graceSecondsMax = 604_800;
const graceSecondsDefault = 86_400;

// domain/token.ts itself needs Node, and this folder is shared with the browser.
const type = z.enum({ server: 'server', browser: 'browser' } satisfies { [Type in TokenType]: Type });

const count = z.int().min(0);
const counts = { accepted: count, rate_limited: count, other: count };

const traffic = z
  .object({
    ...counts,
    by_reason: z
      .array(z.object({ reason: z.string(), category: z.enum(['rate_limit', 'other']), count }))
      .describe('Only reasons that occurred, the most frequent first.'),
    series: z
      .array(z.object({ at: time, ...counts }))
      .describe('By hour. Hours without requests are left out.'),
  })
  .meta({ id: 'TokenTraffic' });

const creator = z
  .object({
    kind: z.enum(['person', 'api_key', 'operator_key']),
    id: id.nullable(),
    name: z
      .string()
      .nullable()
      .describe('The present name of a person or an API key; null if it no longer exists.'),
  })
  .meta({ id: 'TokenCreator' });

const token = z
  .object({
    id,
    name: z.string(),
    form_id: id,
    type,
    hint: z.string().describe('Enough of the token to recognise it.'),
    status: z.enum(['active', 'expired', 'revoked']),
    health: z
      .enum(tokenHealths)
      .describe('How it is doing, by its dates and the last 24 hours; the most urgent that applies.'),
    advice: z.string().describe('What to do about it, in a sentence.'),
    created_at: time,
    created_by: creator.nullable().describe('Null if unknown, as for some tokens of older versions.'),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    last_used_at: time.nullable(),
    traffic: traffic
      .nullable()
      .describe(
        'The last 24 hours. Null for callers who may not read diagnostics, and if it cannot be read.',
      ),
    handover_links: z.array(handoverLink).describe('Those that can still be opened.'),
    replaced_by: id
      .nullable()
      .describe('The token that replaced this one in a rotation. This one expires at `expires_at`.'),
    replaces: id.nullable().describe('The token that this one replaced in a rotation.'),
  })
  .meta({ id: 'Token' });
const tokenDetail = token
  .extend({
    addresses: z
      .array(z.object({ address: z.string(), last_at: time.describe('To the minute.') }))
      .nullable()
      .describe('The newest 8 IP addresses that used it in the last 30 days. Owners only; null for others.'),
  })
  .meta({ id: 'TokenDetail' });
const tokenPage = pageOf(token).meta({ id: 'TokenPage' });
const tokenListQuery = strict(pageQuery);

export const newToken = strict({
  name: line(200),
  form_id: id.describe('The form for leads sent with this token.'),
  type: type.default('server'),
  expires_at: timeInput.nullish().describe('If left out, the token works until you revoke it.'),
}).meta({ id: 'NewToken' });

const createdToken = token
  .extend({ token: z.string().describe('Shown only in this response.') })
  .meta({ id: 'CreatedToken' });

const tokenRotation = strict({
  grace_seconds: z
    .int()
    .min(0)
    .max(graceSecondsMax)
    .default(graceSecondsDefault)
    .describe('How long the old token keeps working, but never past its own expiry.'),
}).meta({ id: 'TokenRotation' });

export type Token = z.output<typeof token>;
export type TokenTraffic = z.output<typeof traffic>;

export const createToken = call({
  method: 'post',
  path: '/workspaces/:workspace_id/tokens',
  tag: 'Ingest tokens',
  summary: 'Create an ingest token',
  description: 'The token is shown only in this response; the service stores a hash of it.',
  access: { by: 'owner', scope: 'tokens:write' },
  gives: 'secret',
  audited: ['name', 'form_id', 'type', 'expires_at'],
  body: newToken,
  answer: json(201, createdToken),
  problems: ['quota_reached'],
});

export const listTokens = call({
  method: 'get',
  path: '/workspaces/:workspace_id/tokens',
  tag: 'Ingest tokens',
  summary: 'List ingest tokens',
  description: 'Includes revoked and expired tokens.',
  access: { by: 'member', scope: 'tokens:write' },
  query: tokenListQuery,
  answer: page(tokenPage),
});

export const readToken = call({
  method: 'get',
  path: '/workspaces/:workspace_id/tokens/:token_id',
  tag: 'Ingest tokens',
  summary: 'Read an ingest token',
  description: 'With the addresses that used it.',
  access: { by: 'member', scope: 'tokens:write' },
  answer: json(200, tokenDetail),
});

export const revokeToken = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/tokens/:token_id',
  tag: 'Ingest tokens',
  summary: 'Revoke an ingest token',
  description:
    'Takes effect immediately and permanently, and ends the grace period of a rotated token. Revoking a token again changes nothing.',
  access: { by: 'owner', scope: 'tokens:write' },
  answer: none,
});

export const rotateToken = call({
  method: 'post',
  path: '/workspaces/:workspace_id/tokens/:token_id/rotation',
  tag: 'Ingest tokens',
  summary: 'Rotate an ingest token',
  description:
    'Creates a replacement with the same name, form, type and lifetime, shown only in this response. The old token keeps working for `grace_seconds`; revoke it to end the grace period immediately. A token can be rotated only once: after that, rotate its replacement.',
  access: { by: 'owner', scope: 'tokens:write' },
  gives: 'secret',
  audited: ['grace_seconds'],
  body: tokenRotation,
  answer: json(201, createdToken),
  problems: ['token_not_rotatable', 'quota_reached'],
});
