import { z } from 'zod';
import { destinationLimits } from '../../domain/destination/destination.ts';
import { call, json, none, page } from '../call.ts';
import { pageOf, pageQuery, strict } from '../shape.ts';
import {
  createdDestination,
  destination,
  destinationTest,
  dryRun,
  rotatedDestination,
} from './destination.ts';
import {
  destinationChanges,
  dryRunRequest,
  newDestination,
  newDryRunRequest,
} from './destination-settings.ts';
import { ownSecret } from './own-headers.ts';

const hourSeconds = 3_600;

export const secretRotation = strict({
  overlap_seconds: z
    .int()
    .min(0)
    .max(destinationLimits.rotationHoursMax * hourSeconds)
    .default(destinationLimits.rotationHoursDefault * hourSeconds)
    .describe('How long requests are signed with both secrets.'),
  secret: ownSecret.optional(),
}).meta({ id: 'DestinationSecretRotation' });

const destinationPage = pageOf(destination).meta({ id: 'DestinationPage' });

export type Destination = z.output<typeof destination>;
export type DestinationTest = z.output<typeof destinationTest>;
export type DryRun = z.output<typeof dryRun>;

const tag = 'Destinations';
const mayWrite = { by: 'owner', scope: ['destinations:write', 'leads:read'] } as const;
const audited = [
  ...['name', 'kind', 'form_ids', 'events', 'format', 'send_when', 'wait_max_s', 'per_second'],
  ...['recipients', 'every', 'hour', 'time_zone', 'service', 'link_only'],
];

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

export const checkDestination = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations/check',
  tag,
  summary: 'Check a destination before it is created',
  description:
    'Creates and sends nothing. What would be refused is refused in the same words; HubSpot is asked about a token.',
  access: mayWrite,
  audit: 'reads',
  expensive: 'call',
  body: newDestination,
  answer: none,
  problems: ['too_many_calls'],
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
  body: newDryRunRequest,
  // Links to leads.
  secret: true,
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
  description:
    'Sends a sample with the event type `test` and returns what the receiver responded. Emails can be tested ten times an hour.',
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
  answer: json(200, rotatedDestination),
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
  body: dryRunRequest.meta({ id: 'DestinationDryRunRequest' }),
  secret: true,
  answer: json(200, dryRun),
});
