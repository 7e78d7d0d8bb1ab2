import { z } from 'zod';
import { heldClasses } from '../../domain/held/held-class.ts';
import { surfaces } from '../../domain/surface.ts';
import { call, json, page } from '../call.ts';
import { reason } from '../diagnostics.ts';
import { id, pageOf, pageQuery, strict, time, timeInput } from '../shape.ts';

const count = z.int().min(0);
const heldClass = z
  .enum(heldClasses)
  .describe(
    'A: the sender is proven, and it would be a lead. B: the same with a formal fault. C: proven, but no lead. D: not proven. E: proven by the scheme of a known sender.',
  );
const states = ['held', 'admitted', 'discarded'] as const;
const state = z.enum(states);

const held = z
  .object({
    id,
    reason,
    class: heldClass,
    sender: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe('A known sender that proved itself by its own scheme, in class E; null for all others.'),
    surface: z.enum(surfaces),
    form_id: id,
    token_id: id.nullable(),
    received_at: time,
    request_id: z.string().describe('The X-Request-Id of the response.'),
    sent_at: time.nullable().describe('The time that was signed.'),
    body_bytes: count,
    state,
    expires_at: time.describe('When it is deleted.'),
    is_readable: z.boolean().describe('False if it was encrypted with a key that the service no longer has.'),
    is_admissible: z.boolean().describe('Whether it can become a lead.'),
    verified_at: time
      .nullable()
      .describe('When its signature was found to be right with a secret that was set later.'),
    twin_of: id
      .nullable()
      .describe('The submission ID of an equal lead, or of the lead with its idempotency key.'),
    has_key: z.boolean().describe('Whether it has an idempotency key.'),
    submission_id: id.nullable().describe('Of the lead that it became.'),
    decided_at: time.nullable(),
    decided_by: z.string().nullable(),
  })
  .meta({ id: 'HeldSubmission' });

const wholeHeld = held
  .extend({
    headers: z
      .object({
        timestamp: z.string().nullable(),
        signature: z.string().nullable(),
        content_type: z.string().nullable(),
      })
      .nullable()
      .describe('As sent; null once it is decided, or if it cannot be read.'),
    request: z
      .object({
        method: z.string(),
        path: z.string().nullable().describe('Null if it was not recorded.'),
        headers: z.array(z.object({ name: z.string(), value: z.string() })),
        has_all_headers: z
          .boolean()
          .describe(
            'False for senders who are not authenticated, of whom only the headers of the check are kept, and for requests held by an earlier version.',
          ),
      })
      .nullable()
      .describe('How it was sent, for people to read: credentials and signatures are shortened.'),
    body: z
      .string()
      .nullable()
      .describe(
        'As text; null once it is decided, or if it cannot be read. Bytes that are no UTF-8 are replaced.',
      ),
    body_base64: z.string().nullable().describe('The same, byte by byte.'),
  })
  .meta({ id: 'WholeHeldSubmission' });

/** Which held submissions. */
export const heldFilter = {
  reason: reason.optional().describe('Rejected for this reason only.'),
  form_id: id.optional().describe('Requests to this form only.'),
  class: heldClass.optional(),
};

const heldQuery = strict({
  ...heldFilter,
  state: state.default('held').describe('Those in this state only.'),
  from: timeInput.optional().describe('Received at this time or later.'),
  to: timeInput.optional().describe('Received before this time.'),
  ...pageQuery,
});

const summary = z
  .object({
    held: count,
    bytes: count.describe('Encrypted.'),
    not_kept: count.describe('In the last 14 days, because there was no room.'),
    admissible: count.describe('How many could become leads now.'),
    verified: count.describe('How many of those were proven only by a secret that was set later.'),
    next_expires_at: time.nullable().describe('When the first of them is deleted.'),
    kept_days: z.int().describe('For how long this workspace keeps them; 0 for not at all.'),
    is_off: z.boolean().describe('The operator has switched keeping off.'),
    by_reason: z.array(
      z.object({
        ...{ reason, count, admissible: count },
        last_at: time.nullable().describe('When the newest that could become a lead arrived.'),
      }),
    ),
  })
  .meta({ id: 'HeldSummary' });

export type HeldSubmission = z.output<typeof held>;
export type WholeHeldSubmission = z.output<typeof wholeHeld>;
export type HeldQuery = z.output<typeof heldQuery>;
export type HeldSummary = z.output<typeof summary>;

const tag = 'Held submissions';
const mayRead = { by: 'owner', scope: ['held:decide', 'leads:read'] } as const;

export const listHeld = call({
  method: 'get',
  path: '/workspaces/:workspace_id/held',
  tag,
  summary: 'List held submissions',
  description: [
    'Rejected requests that are kept for some days, newest first, because their sender is proven or may still be.',
    'Keeping is not accepting: each was answered as rejected, or as the lead that has its idempotency key.',
  ].join(' '),
  access: mayRead,
  gives: 'leads',
  expensive: 'call',
  query: heldQuery,
  answer: page(pageOf(held).meta({ id: 'HeldPage' })),
});

export const readHeldSummary = call({
  method: 'get',
  path: '/workspaces/:workspace_id/held/summary',
  tag,
  summary: 'Count held submissions',
  access: { by: 'owner', scope: 'diagnostics:read' },
  query: strict({ form_id: heldFilter.form_id }),
  answer: json(200, summary),
});

export const readHeld = call({
  method: 'get',
  path: '/workspaces/:workspace_id/held/:held_id',
  tag,
  summary: 'Read a held submission',
  access: mayRead,
  gives: 'view',
  // The signature: with the body, it can be sent again.
  secret: true,
  expensive: 'call',
  answer: json(200, wholeHeld),
});
