import { z } from 'zod';
import {
  destinationStatuses,
  disabledReasons,
  formats,
  sendWhens,
  subscribableEvents,
} from '../../domain/destination/destination.ts';
import { digestPeriods } from '../../domain/destination/kind/digest.ts';
import { chatServices } from '../../domain/destination/kind/kind-settings.ts';
import { recipientStatuses } from '../../domain/destination/kind/recipient.ts';
import { id, time } from '../shape.ts';
import { filter } from './filter.ts';
import { mapping } from './mapping.ts';

/** Nobody needs to know more exactly, and counting millions takes long. */
export const countMax = 10_000;

const day = z
  .object({
    delivered: z.int(),
    waiting: z.int().describe('All that wait now, however long.'),
    dead: z.int().describe('Those whose last attempt failed.'),
    oldest_waiting_at: time.nullable().describe('When the oldest delivery that waits was created.'),
    p95_ms: z.int().nullable().describe('95 % of the last responses took no longer.'),
  })
  .meta({ id: 'DestinationDay' });

const health = z
  .object({
    consecutive_failures: z.int(),
    failing_since: time.nullable(),
    next_probe_at: time
      .nullable()
      .describe('After ten failures in a row only one delivery is tried, at this time.'),
    last_error: z.string().nullable().describe('Why the last attempt failed; null if it succeeded.'),
  })
  .meta({ id: 'DestinationHealth' });

const common = {
  id,
  name: z.string(),
  status: z.enum(destinationStatuses),
  disabled_reason: z.enum(disabledReasons).nullable(),
  form_ids: z.array(id).nullable(),
  events: z.array(z.enum(subscribableEvents)),
  filter,
  send_when: z.enum(sendWhens),
  wait_max_s: z.int(),
  per_second: z.number(),
  version: z.int().describe('Grows with each change.'),
  created_at: time,
  created_by: z.string(),
  updated_at: time,
  updated_by: z.string(),
  last_day: day.describe(`The last 24 hours. Each number is at most ${countMax}: there may be more.`),
  health,
};

const webhook = z.object({
  ...common,
  kind: z.literal('webhook'),
  url: z.string(),
  mapping,
  format: z.enum(formats),
  headers: z.array(z.string()).describe('Names only; the values are never shown.'),
  previous_secret_valid_until: time
    .nullable()
    .describe('During a rotation, requests are signed with both secrets until this time.'),
});

export const recipient = z
  .object({
    address: z.string(),
    status: z
      .enum(recipientStatuses)
      .describe(
        '`member`: a member of the workspace whose address is known to be theirs. `confirmed`: opened the link that was sent there. `waiting`: has not opened it yet. `unsubscribed`: wants no more. Only the first two get emails.',
      ),
    asked_at: time.nullable().describe('When the link was last sent; null if none was needed.'),
    last_error: z.string().nullable().describe('Why the mail server did not accept the last email to it.'),
  })
  .meta({ id: 'DestinationRecipient' });

const email = z.object({
  ...common,
  kind: z.literal('email'),
  recipients: z.array(recipient),
  every: z.enum(digestPeriods),
  hour: z.int(),
  time_zone: z.string(),
  link_only: z.boolean(),
});

const chat = z.object({
  ...common,
  kind: z.literal('chat'),
  service: z.enum(chatServices),
  host: z.string().describe('Of the URL, which is a secret and never shown.'),
  link_only: z.boolean(),
});

const hubspot = z.object({ ...common, kind: z.literal('hubspot'), mapping });

export const destination = z
  .discriminatedUnion('kind', [
    webhook.meta({ id: 'WebhookDestination' }),
    email.meta({ id: 'EmailDestination' }),
    chat.meta({ id: 'ChatDestination' }),
    hubspot.meta({ id: 'HubspotDestination' }),
  ])
  .meta({ id: 'Destination' });

/** After a rotation, which only a webhook has. */
export const rotatedDestination = webhook
  .extend({ secret: z.string().describe('Shown only in this response.') })
  .meta({ id: 'RotatedDestination' });

const secret = z
  .string()
  .nullable()
  .describe('The signing secret of a webhook, shown only in this response; null for other kinds.');

export const createdDestination = z
  .discriminatedUnion('kind', [
    webhook.extend({ secret }),
    email.extend({ secret }),
    chat.extend({ secret }),
    hubspot.extend({ secret }),
  ])
  .meta({ id: 'CreatedDestination' });

export const destinationTest = z
  .object({
    delivered: z.boolean(),
    status: z
      .int()
      .nullable()
      .describe('The status of the response, or the reply code of the mail server; null without one.'),
    error: z.string().nullable().describe('Why it was not delivered.'),
    took_ms: z.int(),
    response_head: z
      .string()
      .nullable()
      .describe('The first 2 KB of the response; null for hosts that only the operator can open.'),
    request: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }),
  })
  .meta({ id: 'DestinationTest' });

export const dryRunLeads = 500;
export const dryRunExamples = 3;
const shownMessage = z
  .object({
    title: z.string(),
    facts: z.array(z.object({ label: z.string(), value: z.string() })),
    url: z.string().nullable(),
  })
  .meta({ id: 'DestinationMessage' });

const shown = {
  body: z.string().describe('As it would be sent.'),
  message: shownMessage.nullable().describe('What people would read; null for what programs read.'),
};

export const dryRun = z
  .object({
    checked: z.int().describe(`How many of the newest leads were checked, at most ${dryRunLeads}.`),
    matching: z.int(),
    skipped: z
      .int()
      .describe('Of these, how many lack what the destination needs, such as an email address.'),
    examples: z
      .array(z.object({ submission_id: id, ...shown }))
      .describe(`The newest ${dryRunExamples} that match.`),
    sample: z
      .object(shown)
      .nullable()
      .describe(
        'Without examples: what would be sent of a sample lead, whether it matches or not. Null if there are examples, or if nothing would be sent of it.',
      ),
  })
  .meta({ id: 'DestinationDryRun' });
