import { z } from 'zod';
import { id, strict, time } from '../shape.ts';

export const browserActivityQuery = strict({
  minutes: z.coerce.number().int().min(5).max(10_080).default(1_440).describe('How far back to count.'),
});

const steps = {
  challenged: z.int().describe('Pages that asked for a challenge.'),
  minted: z.int().describe('Tokens created.'),
  used: z.int().describe('Tokens that were sent with a lead.'),
  accepted: z.int().describe('Leads accepted.'),
};

/** From the first request of a page to its lead. */
export const browserActivity = z
  .object({
    since: time,
    origins: z.array(
      z.object({
        origin: z.string().describe('Empty for origins that are not allowed, all in one row.'),
        ...steps,
        refused: z.record(z.string(), z.int()).describe('Refused requests by reason.'),
        last_at: time.nullable(),
      }),
    ),
    last_seen: z
      .object({ origin: z.string(), at: time })
      .nullable()
      .describe('The last request of a page with an allowed origin.'),
  })
  .meta({ id: 'BrowserActivity' });

export type BrowserActivity = z.output<typeof browserActivity>;

export const mintBody = strict({
  form: id.describe('The ID of the form.'),
  origin: z.string().max(300).describe('Of the page that will send the lead.'),
  body_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the body as 64 lower-case hexadecimal digits')
    .optional()
    .describe('If given, the token is valid for this body only.'),
  ttl_s: z.int().min(60).max(300).optional(),
}).meta({ id: 'BrowserMint' });

export const mintedToken = z
  .object({ token: z.string(), expires_in: z.int().describe('Seconds.') })
  .meta({ id: 'BrowserToken' });
