import { z } from 'zod';
import { normalOrigin, originsMax } from '../../domain/browser/origin.ts';
import { protectionDefault, protections, tokenSeconds } from '../../domain/browser/protection.ts';
import { exactText, strict, time } from '../shape.ts';
import { originRule } from './terms.ts';

const origin = z
  .string()
  .max(300, { abort: true })
  .transform((text, context) => {
    const normal = normalOrigin(text);
    if (normal !== null) return normal;
    context.addIssue({ code: 'custom', message: originRule });
    return z.NEVER;
  });

const httpUrl = z
  .string()
  .max(2_000, { abort: true })
  .refine((text) => /^https?:$/.test(protocolOf(text)), 'must be a URL that starts with https:// or http://');

const protection = z
  .enum(protections)
  .describe(
    'What a page must show to get a token: `work` (a proof of work), `turnstile` or `hcaptcha` (their keys are required), or `none`.',
  );

/** What an owner sets. What is left out gets its default, except for the captcha keys and `localhost`, which stay. */
export const browserSettingsInput = strict({
  enabled: z.boolean(),
  origins: z
    .array(origin)
    .max(originsMax)
    .transform((list) => [...new Set(list)])
    .describe('Pages of these origins may send leads: exact ones, or `https://*.example.com` for one label.'),
  protection: protection.default(protectionDefault),
  ttl_s: z
    .int()
    .min(tokenSeconds.min)
    .max(tokenSeconds.max)
    .default(tokenSeconds.default)
    .describe('For how many seconds a token is valid.'),
  no_script: z
    .boolean()
    .default(false)
    .describe('Whether browsers without script may post the form directly. Needs `thanks_url`.'),
  thanks_url: httpUrl
    .nullable()
    .default(null)
    .describe('Where a browser without script goes after it has posted the form.'),
  captcha: strict({
    site_key: exactText(200),
    secret: exactText(500).optional().describe('Stays as it is if left out.'),
  })
    .optional()
    .describe(
      'The keys of Turnstile or hCaptcha. They stay as they are if left out, and are deleted with another protection.',
    ),
  localhost: z
    .boolean()
    .optional()
    .describe(
      'Also allow http://localhost and http://127.0.0.1 on any port, for 24 hours from now. Stays as it is if left out.',
    ),
}).meta({ id: 'NewBrowserSettings' });

export const browserSettings = z
  .object({
    enabled: z.boolean(),
    public_key: z
      .string()
      .nullable()
      .describe('Names the form in the source of a page. Null until it was enabled once.'),
    origins: z.array(z.string()),
    protection,
    ttl_s: z.int(),
    no_script: z.boolean(),
    thanks_url: z.string().nullable(),
    captcha: z.object({ site_key: z.string(), has_secret: z.boolean() }).nullable(),
    localhost_until: time.nullable(),
    epoch: z.int().describe('Tokens of earlier epochs are no longer valid.'),
    mint_secret: z.object({ set_at: time.nullable(), previous_valid_until: time.nullable() }),
    sdk: z
      .object({ url: z.string(), hashed_url: z.string().nullable(), integrity: z.string().nullable() })
      .describe('Where the SDK is served.'),
    dummy_keys: z
      .object({ accepted: z.string(), rejected: z.string(), spent: z.string() })
      .describe('For the tests of your own page: nothing that is sent with them is stored.'),
  })
  .meta({ id: 'BrowserSettings' });

export type BrowserSettings = z.output<typeof browserSettings>;
export type BrowserSettingsInput = z.output<typeof browserSettingsInput>;

export const newMintSecretInput = strict({
  overlap_seconds: z
    .int()
    .min(0)
    .max(604_800)
    .default(0)
    .describe('How long the previous secret stays valid.'),
}).meta({ id: 'NewMintSecret' });

export const mintSecretAnswer = z
  .object({
    secret: z.string().describe('Shown only in this response.'),
    workspace_id: z.string(),
    form_id: z.string(),
    epoch: z.int(),
    previous_valid_until: time.nullable(),
  })
  .meta({ id: 'MintSecret' });

function protocolOf(text: string): string {
  try {
    return new URL(text).protocol;
  } catch {
    return '';
  }
}
