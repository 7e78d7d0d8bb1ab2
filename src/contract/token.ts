import { z } from 'zod';
import type { TokenType } from '../domain/token.ts';
import { pageOf, pageQuery } from './paging.ts';
import { id, line, strict, time, timeInput } from './shape.ts';

const graceSecondsMax = 604_800;
const graceSecondsDefault = 86_400;

// domain/token.ts itself needs Node, and this folder is shared with the browser.
const type = z.enum({ server: 'server', browser: 'browser' } satisfies { [Type in TokenType]: Type });

export const token = z
  .object({
    id,
    name: z.string(),
    form_id: id,
    type,
    hint: z.string().describe('Enough of the token to recognise it.'),
    status: z.enum(['active', 'expired', 'revoked']),
    created_at: time,
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    last_used_at: time.nullable(),
    replaced_by: id
      .nullable()
      .describe('The successor that a rotation made. The token ends at `expires_at`.'),
    replaces: id.nullable().describe('The token that this one is the successor of.'),
  })
  .meta({ id: 'Token' });
export const tokenPage = pageOf(token).meta({ id: 'TokenPage' });
export const tokenListQuery = strict(pageQuery);

export const newToken = strict({
  name: line(200),
  form_id: id.describe('The form that each lead sent with this token belongs to.'),
  type: type.default('server'),
  expires_at: timeInput.nullish().describe('Without it the token works until it is revoked.'),
}).meta({ id: 'NewToken' });

export const createdToken = token
  .extend({ token: z.string().describe('Shown only in this answer.') })
  .meta({ id: 'CreatedToken' });

export const tokenRotation = strict({
  grace_seconds: z
    .int()
    .min(0)
    .max(graceSecondsMax)
    .default(graceSecondsDefault)
    .describe('How long the token used until now goes on working; never past its own expiry.'),
}).meta({ id: 'TokenRotation' });

export type Token = z.output<typeof token>;
