import { z } from 'zod';
import {
  destinationDefaults,
  destinationKinds,
  destinationLimits,
  formats,
  type SubscribableEvent,
  sendWhens,
  subscribableEvents,
} from '../../domain/destination/destination.ts';
import { digestPeriods, isTimeZone } from '../../domain/destination/kind/digest.ts';
import { chatServices, kindEvents } from '../../domain/destination/kind/kind-settings.ts';
import { changes, id, line, strict } from '../shape.ts';
import { filter } from './filter.ts';
import { mapping } from './mapping.ts';
import { newHeaders, ownSecret } from './own-headers.ts';

const { events, sendWhen, waitMaxSeconds, perSecond, format } = destinationDefaults;
const limits = destinationLimits;
const tokenCharactersMax = 500;

// The largest integer in PostgreSQL.
const versionMax = 2 ** 31 - 1;
const expectedVersion = z
  .int()
  .min(1)
  .max(versionMax)
  .describe('The version that you read before the change. If it is no longer the newest, nothing is saved.');

/** For every kind. */
const common = {
  name: line(limits.nameCharacters),
  form_ids: z
    .array(id)
    .min(1)
    .max(limits.forms)
    .transform((ids) => [...new Set(ids)])
    .nullable()
    .describe('Only leads of these forms; null for all forms, including later ones.'),
  events: z
    .array(z.enum(subscribableEvents))
    .min(1)
    .max(subscribableEvents.length)
    .transform((types) => [...new Set(types)])
    .describe('Which events are sent.'),
  filter: filter.describe('Only leads that match. Checked again just before a lead is sent.'),
  send_when: z
    .enum(sendWhens)
    .describe('`enriched` waits for the enrichment of a lead, for up to `wait_max_s`.'),
  wait_max_s: z.int().min(0).max(limits.waitSeconds),
};

const url = z.string().trim().min(1);
const ofWebhook = {
  url: url.describe(
    'Receives a POST for each event. Must be https, unless the operator has allowed the host.',
  ),
  mapping: mapping.describe('The fields of the body. Only used with the format `mapped`, which needs it.'),
  format: z
    .enum(formats)
    .describe(
      '`standard`: the event with the lead in `data`. `flat`: the fields on top, everything else in `_leadgate`. `thin`: IDs only. `mapped`: the fields of `mapping`.',
    ),
  per_second: z
    .number()
    .min(limits.perSecondMin)
    .max(limits.perSecondMax)
    .describe('How many requests are sent per second at most.'),
};

const linkOnly = z.boolean().describe('True to send nothing of a lead but a link to it.');
const ofEmail = {
  recipients: z
    .array(z.email('use an email address').toLowerCase().max(254))
    .min(1)
    .max(limits.recipients)
    .transform((addresses) => [...new Set(addresses)])
    .describe(
      'Members get the emails immediately, other addresses once someone has opened the link sent there.',
    ),
  every: z.enum(digestPeriods).describe('An email for each lead, or one for all leads of an hour or a day.'),
  hour: z.int().min(0).max(23).describe('When a daily email is sent.'),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'use an IANA time zone such as Europe/Berlin')
    .describe('Of `hour`.'),
  link_only: linkOnly,
};

const ofChat = {
  service: z.enum(chatServices),
  url: url.describe('The URL of an incoming webhook. A secret: it is encrypted and never shown again.'),
  link_only: linkOnly,
};

export const hubspotToken = z
  .string()
  .trim()
  .min(1)
  .max(tokenCharactersMax)
  .regex(/^[\x21-\x7e]+$/, 'use an access token, without spaces')
  .describe('The access token of a service key or of a private app. Encrypted, and never shown again.');

const ofHubspot = {
  token: hubspotToken,
  mapping: mapping.describe('Which property of a contact gets what. One row must set `email`.'),
};

const withDefaults = {
  name: common.name,
  form_ids: common.form_ids.default(null),
  filter: common.filter.optional().describe('If left out, only clean leads are sent.'),
  send_when: common.send_when.default(sendWhen),
  wait_max_s: common.wait_max_s.default(waitMaxSeconds),
};

/** The events that a kind can have. */
function eventsOf(kind: keyof typeof kindEvents) {
  const known: readonly SubscribableEvent[] = kindEvents[kind];
  return common.events
    .refine((types) => types.every((type) => known.includes(type)), `use one of ${known.join(', ')}`)
    .default([...events]);
}

export const newDestination = z
  .discriminatedUnion(
    'kind',
    [
      strict({
        ...withDefaults,
        kind: z.literal('webhook'),
        events: eventsOf('webhook'),
        url: ofWebhook.url,
        mapping: ofWebhook.mapping.default([]),
        format: ofWebhook.format.default(format),
        headers: newHeaders.default({}),
        per_second: ofWebhook.per_second.default(perSecond),
        secret: ownSecret.optional(),
      }).meta({ id: 'NewWebhookDestination' }),
      strict({
        ...withDefaults,
        kind: z.literal('email'),
        events: eventsOf('email'),
        recipients: ofEmail.recipients,
        every: ofEmail.every.default('lead'),
        hour: ofEmail.hour.default(8),
        time_zone: ofEmail.time_zone.default('UTC'),
        link_only: ofEmail.link_only.default(false),
      }).meta({ id: 'NewEmailDestination' }),
      strict({
        ...withDefaults,
        kind: z.literal('chat'),
        events: eventsOf('chat'),
        service: ofChat.service,
        url: ofChat.url,
        link_only: ofChat.link_only.default(false),
      }).meta({ id: 'NewChatDestination' }),
      strict({
        ...withDefaults,
        kind: z.literal('hubspot'),
        events: eventsOf('hubspot'),
        ...ofHubspot,
      }).meta({ id: 'NewHubspotDestination' }),
    ],
    {
      error: (issue) =>
        issue.code === 'invalid_union' ? `use one of ${destinationKinds.join(', ')}` : undefined,
    },
  )
  .meta({ id: 'NewDestination' });

/** Which of these a destination has depends on its kind. */
const settings = {
  ...{ ...common, ...ofWebhook, ...ofEmail, ...ofHubspot, ...ofChat, headers: newHeaders },
  url: url.describe('Where a webhook sends, or the URL of an incoming webhook of a chat.'),
  mapping: mapping.describe('Of a webhook with the format `mapped`, or of HubSpot.'),
};
type Optional<Shape extends z.ZodRawShape> = { readonly [Name in keyof Shape]: z.ZodOptional<Shape[Name]> };
const optional = Object.fromEntries(
  Object.entries(settings).map(([name, schema]) => [name, schema.optional()]),
) as unknown as Optional<typeof settings>;

export const destinationChanges = changes({ ...optional, expected_version: expectedVersion.optional() }, [
  'expected_version',
]).meta({ id: 'DestinationChanges' });

export const dryRunRequest = strict({
  form_ids: optional.form_ids,
  filter: optional.filter,
  mapping: optional.mapping,
  format: optional.format,
  link_only: optional.link_only,
  service: optional.service,
});

export const newDryRunRequest = dryRunRequest
  .extend({ kind: z.enum(destinationKinds).default('webhook') })
  .meta({ id: 'NewDestinationDryRunRequest' });

export type NewDestination = z.output<typeof newDestination>;
export type DestinationChanges = z.output<typeof destinationChanges>;
export type DryRunRequest = z.output<typeof dryRunRequest>;
export type NewDryRunRequest = z.output<typeof newDryRunRequest>;
