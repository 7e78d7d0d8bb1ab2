import { z } from 'zod';
import { id, time } from '../shape.ts';

const ownersOnly = 'Null unless the caller is an owner.';

export const formActivity = z
  .object({
    items: z.array(
      z
        .object({
          form_id: id,
          last_lead_at: time.nullable().describe('When the form last accepted a lead.'),
          leads_24h: z.int().describe('Accepted leads in the last 24 hours.'),
          rejected_24h: z.int().nullable().describe(`Rejections in the last 24 hours. ${ownersOnly}`),
          rate_limited_24h: z
            .int()
            .nullable()
            .describe(`Rejections by a rate limit, which are not counted above. ${ownersOnly}`),
        })
        .meta({ id: 'FormActivityItem' }),
    ),
  })
  .meta({ id: 'FormActivity' });

export type FormActivity = z.output<typeof formActivity>;
