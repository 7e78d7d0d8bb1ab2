import { z } from 'zod';
import { call, json } from '../call.ts';
import { count, range, surface } from '../diagnostics.ts';
import { strict, time } from '../shape.ts';

export const spellsMax = 20;

const spell = z.object({
  from: time.describe('The minute of the first rejection.'),
  to: time.describe('The end of the minute of the last one.'),
  count: count.describe('How many submissions were rejected.'),
});

const rateLimit = z.object({
  surface,
  window: z.enum(['minute', 'day']),
  reason: z.enum(['rate_limited_minute', 'rate_limited_day']),
  max: count.describe('Submissions that are accepted per window.'),
  used: count.describe('Submissions of the window that is open now; 0 if none is.'),
  started_at: time.nullable().describe('When the open window began: with its first submission.'),
  resets_at: time.nullable().describe('When the open window ends.'),
  reached_at: time
    .nullable()
    .describe('If the limit is reached now: the minute of the first rejection of the open window.'),
  exhausts_at: time
    .nullable()
    .describe(
      'When the limit will be reached at the rate of the last hour, if that is before the window ends.',
    ),
  peak: z
    .object({ count, at: time })
    .nullable()
    .describe(
      'The most accepted submissions in a minute of the clock, or in 24 hours from hour to hour; null if there were none.',
    ),
  rejected: count.describe('How many submissions the limit rejected in the range.'),
  spells: z
    .array(spell)
    .describe(
      `When it rejected submissions: minutes that follow one another, newest first; at most ${spellsMax}.`,
    ),
  retry_after: z
    .null()
    .describe(
      'Always null: the sender gets the same response as for any other rejection, without `Retry-After`.',
    ),
});

const rateLimits = z.object({ items: z.array(rateLimit) }).meta({ id: 'RateLimits' });

type RateLimits = z.output<typeof rateLimits>;
export type RateLimit = RateLimits['items'][number];

export const readRateLimits = call({
  method: 'get',
  path: '/workspaces/:workspace_id/rate-limits',
  tag: 'Diagnostics',
  summary: 'Read rate limits',
  description:
    'How much of each rate limit is used now, when it will be reached, the peak, and when it rejected submissions. Limits apply to each surface of a workspace.',
  access: { by: 'owner', scope: 'diagnostics:read' },
  expensive: 'call',
  query: strict(range),
  answer: json(200, rateLimits),
});
