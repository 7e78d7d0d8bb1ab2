import { z } from 'zod';
import {
  aliasDays,
  isSlug,
  replayProtectionDefault,
  replayProtections,
  slugCharactersMax,
  unknownKeysDefault,
  unknownKeysPolicies,
} from '../../domain/form.ts';
import { changes, exactText, id, line, pageOf, pageQuery, strict, time } from '../shape.ts';

const fieldsMax = 200;
const ignoredKeysMax = 200;
const overlapSecondsMax = 604_800;
const slugRule = 'use lower-case letters, digits and hyphens; start and end with a letter or digit';

const name = line(200);
export const slug = z
  .string()
  // A slug that is too long gets no further error.
  .max(slugCharactersMax, { abort: true })
  .refine(isSlug, slugRule)
  .describe('The last part of the webhook URL.');
const allow_shared_slug = z
  .boolean()
  .optional()
  .describe(
    'For operators: use a slug that another workspace uses, which makes it ambiguous for both. A former slug of another workspace must be released instead.',
  );

export const formField = strict({
  key: exactText(200).describe('The top-level key of the submitted JSON.'),
  label: line(200).optional(),
  type: z.enum(['text', 'email', 'phone', 'url', 'number', 'boolean']).optional(),
  required: z.boolean().optional(),
}).meta({ id: 'FormField' });

export const fields = z
  .array(formField)
  .max(fieldsMax)
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [place, { key }] of list.entries()) {
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [place, 'key'], message: 'occurs twice' });
      seen.add(key);
    }
  });

const replay_protection = z
  .enum(replayProtections)
  .describe(
    'When a signed request that arrives twice counts as one submission. `unkeyed`: if neither copy has an idempotency key; `all`: whatever keys they have; `off`: never.',
  );

const keeps_rejected = z
  .boolean()
  .describe(
    'Whether rejected submissions to it are held for the days that the workspace sets. Those held before stay.',
  );

const unknown_keys = z
  .enum(unknownKeysPolicies)
  .describe(
    'Whether the lead table and the pages of leads show keys that the form does not declare. They are stored, searched and exported in any case.',
  );

const ignored_keys = z
  .array(exactText(200))
  .max(ignoredKeysMax)
  .transform((keys) => [...new Set(keys)])
  .describe('Keys that the form does not declare and that are no longer suggested.');

const keep_former_slug = z
  .boolean()
  .optional()
  .describe(
    `With a new slug: the former one stays an alias of the form for ${aliasDays} days, or until a form of the workspace uses it.`,
  );

const webhookSecretState = z
  .object({ configured: z.boolean(), set_at: time.nullable(), previous_valid_until: time.nullable() })
  .meta({ id: 'WebhookSecretState' });

export const form = z
  .object({
    id,
    workspace_id: id,
    name: z.string(),
    slug: z.string(),
    active: z.boolean(),
    fields: z.array(formField),
    replay_protection,
    keeps_rejected,
    unknown_keys,
    ignored_keys: z.array(z.string()),
    created_at: time,
    webhook_secret: webhookSecretState,
  })
  .meta({ id: 'Form' });
export const formPage = pageOf(form).meta({ id: 'FormPage' });
export const formListQuery = strict(pageQuery);

export const newForm = strict({
  name,
  slug: slug.optional(),
  active: z.boolean().default(true),
  fields: fields.default([]),
  replay_protection: replay_protection.default(replayProtectionDefault),
  keeps_rejected: keeps_rejected.default(true),
  unknown_keys: unknown_keys.default(unknownKeysDefault),
  ignored_keys: ignored_keys.default([]),
  allow_shared_slug,
}).meta({ id: 'NewForm' });

export const formChanges = changes(
  {
    name: name.optional(),
    slug: slug.optional(),
    active: z.boolean().optional(),
    fields: fields.optional(),
    replay_protection: replay_protection.optional(),
    keeps_rejected: keeps_rejected.optional(),
    unknown_keys: unknown_keys.optional(),
    ignored_keys: ignored_keys.optional(),
    keep_former_slug,
    allow_shared_slug,
  },
  ['allow_shared_slug', 'keep_former_slug'],
).meta({ id: 'FormChanges' });

const secretCharactersMin = 8;
const secretDifferentMin = 6;

/** A secret that someone chose. Secrets that were stored before a rule was added stay valid. */
const ownSecret = exactText(256)
  // Not in units of UTF-16, of which an emoji has two.
  .refine(
    (secret) => [...secret].length >= secretCharactersMin,
    `must have at least ${secretCharactersMin} characters`,
  )
  .refine(
    (secret) => new Set(secret).size >= secretDifferentMin,
    `must have at least ${secretDifferentMin} different characters`,
  );

export const newWebhookSecret = strict({
  secret: ownSecret
    .optional()
    .describe(
      `Your own secret, of at least ${secretCharactersMin} characters with ${secretDifferentMin} different ones. If left out, one is generated.`,
    ),
  overlap_seconds: z
    .int()
    .min(0)
    .max(overlapSecondsMax)
    .default(0)
    .describe('How long the previous secret stays valid.'),
}).meta({ id: 'NewWebhookSecret' });

export const webhookSecretUse = webhookSecretState
  .extend({
    prefix: z
      .string()
      .nullable()
      .describe(
        'The first characters of the secret, to recognise it by. Null if it is short, or was set by an older version.',
      ),
    set_by: z.string().nullable().describe('Who set the secret; null if it was set by an older version.'),
    last_verified_at: time
      .nullable()
      .describe(
        'When the signature of a request last matched the secret; null if none has since it was set.',
      ),
    previous_use: z
      .object({
        last_hour: z
          .object({ leads: z.int(), by_previous: z.int() })
          .describe('Webhook leads of the form in the last 60 minutes, but not before the rotation.'),
        by_previous: z.int().describe('Leads signed with the previous secret since the rotation.'),
        last_at: time.nullable().describe('When the last of them arrived.'),
      })
      .nullable()
      .describe('How much the previous secret is still used; null without an overlap.'),
  })
  .meta({ id: 'WebhookSecretUse' });

export const webhookSecret = z
  .object({
    secret: z.string().describe('Shown only in this response.'),
    previous_valid_until: time.nullable(),
  })
  .meta({ id: 'WebhookSecret' });

export type WebhookSecretUse = z.output<typeof webhookSecretUse>;
export type Form = z.output<typeof form>;
export type NewForm = z.output<typeof newForm>;
export type FormChanges = z.output<typeof formChanges>;
