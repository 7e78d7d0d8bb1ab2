import { z } from 'zod';
import {
  destinationDefaults,
  destinationKinds,
  destinationLimits,
  formats,
  sendWhens,
  subscribableEvents,
} from '../../domain/destination/destination.ts';
import { call, json, none, page } from '../call.ts';
import { changes, id, line, pageOf, pageQuery, strict } from '../shape.ts';
import { destination, destinationTest, dryRun } from './destination.ts';
import { filter } from './filter.ts';
import { mapping } from './mapping.ts';
import { newHeaders, ownSecret } from './own-headers.ts';

const { events, sendWhen, waitMaxSeconds, perSecond, format } = destinationDefaults;
const limits = destinationLimits;
const hourSeconds = 3_600;

// The largest integer in PostgreSQL.
const versionMax = 2 ** 31 - 1;
const expectedVersion = z
  .int()
  .min(1)
  .max(versionMax)
  .describe('The version that you read before the change. If it is no longer the newest, nothing is saved.');

const settings = {
  name: line(limits.nameCharacters),
  url: z
    .string()
    .trim()
    .min(1)
    .describe('Receives a POST for each event. Must be https, unless the operator has allowed the host.'),
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
  mapping: mapping.describe('The fields of the body. Only used with the format `mapped`, which needs it.'),
  format: z
    .enum(formats)
    .describe(
      '`standard`: the event with the lead in `data`. `flat`: the fields on top, everything else in `_leadgate`. `thin`: IDs only. `mapped`: the fields of `mapping`.',
    ),
  send_when: z
    .enum(sendWhens)
    .describe('`enriched` waits for the enrichment of a lead, for up to `wait_max_s`.'),
  wait_max_s: z.int().min(0).max(limits.waitSeconds),
  per_second: z
    .number()
    .min(limits.perSecondMin)
    .max(limits.perSecondMax)
    .describe('How many requests are sent per second at most.'),
};

const newDestination = strict({
  name: settings.name,
  kind: z.enum(destinationKinds),
  url: settings.url,
  form_ids: settings.form_ids.default(null),
  events: settings.events.default([...events]),
  filter: settings.filter.optional().describe('If left out, only clean leads are sent.'),
  mapping: settings.mapping.default([]),
  format: settings.format.default(format),
  headers: newHeaders.default({}),
  send_when: settings.send_when.default(sendWhen),
  wait_max_s: settings.wait_max_s.default(waitMaxSeconds),
  per_second: settings.per_second.default(perSecond),
  secret: ownSecret.optional(),
}).meta({ id: 'NewDestination' });

const destinationChanges = changes(
  {
    ...Object.fromEntries(Object.entries(settings).map(([name, schema]) => [name, schema.optional()])),
    headers: newHeaders.optional(),
    expected_version: expectedVersion.optional(),
  } as {
    readonly [Name in keyof typeof settings]: z.ZodOptional<(typeof settings)[Name]>;
  } & {
    readonly headers: z.ZodOptional<typeof newHeaders>;
    readonly expected_version: z.ZodOptional<typeof expectedVersion>;
  },
  ['expected_version'],
).meta({ id: 'DestinationChanges' });

const secretShown = z.string().describe('Shown only in this response.');
const createdDestination = destination.extend({ secret: secretShown }).meta({ id: 'CreatedDestination' });

export const secretRotation = strict({
  overlap_seconds: z
    .int()
    .min(0)
    .max(limits.rotationHoursMax * hourSeconds)
    .default(limits.rotationHoursDefault * hourSeconds)
    .describe('How long requests are signed with both secrets.'),
  secret: ownSecret.optional(),
}).meta({ id: 'DestinationSecretRotation' });

const dryRunRequest = strict({
  form_ids: settings.form_ids.optional(),
  filter: settings.filter.optional(),
  mapping: settings.mapping.optional(),
  format: settings.format.optional(),
}).meta({ id: 'DestinationDryRunRequest' });

const destinationPage = pageOf(destination).meta({ id: 'DestinationPage' });

export type NewDestination = z.output<typeof newDestination>;
export type DestinationChanges = z.output<typeof destinationChanges>;
export type Destination = z.output<typeof destination>;
export type DestinationTest = z.output<typeof destinationTest>;
export type DryRunRequest = z.output<typeof dryRunRequest>;
export type DryRun = z.output<typeof dryRun>;

const tag = 'Destinations';
const mayWrite = { by: 'owner', scope: ['destinations:write', 'leads:read'] } as const;
const audited = ['name', 'kind', 'form_ids', 'events', 'format', 'send_when', 'wait_max_s', 'per_second'];

export const createDestination = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations',
  tag,
  summary: 'Create a destination',
  description: [
    'Leads that are accepted from now on are sent there. The secret is shown only in this response. Send a test before you',
    'rely on it.',
  ].join(' '),
  access: mayWrite,
  gives: 'secret',
  audited,
  auditedHosts: ['url'],
  body: newDestination,
  answer: json(201, createdDestination),
  problems: ['quota_reached'],
});

export const listDestinations = call({
  method: 'get',
  path: '/workspaces/:workspace_id/destinations',
  tag,
  summary: 'List destinations',
  access: { by: 'owner', scope: 'destinations:read' },
  query: strict(pageQuery),
  // Its URL often contains a secret.
  secret: true,
  answer: page(destinationPage),
});

export const dryRunNewDestination = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations/dry-run',
  tag,
  summary: 'Try a filter and a mapping on stored leads',
  description: 'Sends nothing. What you leave out has its default.',
  access: mayWrite,
  audit: 'reads',
  expensive: 'call',
  body: dryRunRequest,
  answer: json(200, dryRun),
});

export const readDestination = call({
  method: 'get',
  path: '/workspaces/:workspace_id/destinations/:destination_id',
  tag,
  summary: 'Read a destination',
  access: { by: 'owner', scope: 'destinations:read' },
  secret: true,
  answer: json(200, destination),
});

export const changeDestination = call({
  method: 'patch',
  path: '/workspaces/:workspace_id/destinations/:destination_id',
  tag,
  summary: 'Change a destination',
  description: [
    'What you leave out stays the same. Deliveries that wait are sent with the new settings. A change of the URL to another',
    'host removes the headers unless you send them too.',
  ].join(' '),
  access: mayWrite,
  proof: 'password',
  audited,
  auditedHosts: ['url'],
  body: destinationChanges,
  secret: true,
  answer: json(200, destination),
  problems: ['version_conflict'],
});

export const deleteDestination = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/destinations/:destination_id',
  tag,
  summary: 'Delete a destination',
  description: 'Deliveries that wait are cancelled.',
  access: { by: 'owner', scope: 'destinations:write' },
  answer: none,
});

export const testDestination = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations/:destination_id/test',
  tag,
  summary: 'Send a test to a destination',
  description: 'Sends a sample with the event type `test` and returns what the receiver responded.',
  access: mayWrite,
  expensive: 'call',
  secret: true,
  answer: json(200, destinationTest),
  problems: ['too_many_calls'],
});

export const rotateDestinationSecret = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations/:destination_id/secret-rotation',
  tag,
  summary: 'Rotate the secret of a destination',
  description: [
    'The new secret is shown only in this response. Requests are signed with both secrets for `overlap_seconds`; a second',
    'rotation within that time ends the first one.',
  ].join(' '),
  access: mayWrite,
  gives: 'secret',
  audited: ['overlap_seconds'],
  body: secretRotation,
  answer: json(200, createdDestination),
});

export const pauseDestination = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations/:destination_id/pause',
  tag,
  summary: 'Pause a destination',
  description: 'Deliveries are collected, and sent once you resume it.',
  access: { by: 'owner', scope: 'destinations:write' },
  secret: true,
  answer: json(200, destination),
});

export const resumeDestination = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations/:destination_id/resume',
  tag,
  summary: 'Resume a destination',
  description: 'Also one that was disabled. Everything that waits is sent now.',
  access: mayWrite,
  secret: true,
  answer: json(200, destination),
});

export const dryRunDestination = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations/:destination_id/dry-run',
  tag,
  summary: 'Try changes of a destination on stored leads',
  description: 'Sends nothing. What you leave out is as in the destination.',
  access: mayWrite,
  audit: 'reads',
  expensive: 'call',
  body: dryRunRequest,
  answer: json(200, dryRun),
});
