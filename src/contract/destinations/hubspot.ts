import { z } from 'zod';
import { call, json } from '../call.ts';
import { strict } from '../shape.ts';
import { hubspotToken } from './destination-settings.ts';

const tag = 'Destinations';
const mayWrite = { by: 'owner', scope: ['destinations:write', 'leads:read'] } as const;

const contactProperties = z
  .object({
    properties: z.array(
      z.object({
        name: z.string().describe('For `to` of a mapping row.'),
        label: z.string().describe('What people see in HubSpot.'),
        type: z.string().describe('Such as `string`, `number`, `bool`, `date`, `datetime` or `enumeration`.'),
      }),
    ),
  })
  .meta({ id: 'HubspotProperties' });

export type HubspotPropertyList = z.output<typeof contactProperties>;

export const listHubspotProperties = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations/hubspot/properties',
  tag,
  summary: 'List the contact properties of a HubSpot account',
  description: 'Those that a mapping can set. Asks HubSpot with the access token, and stores nothing.',
  access: mayWrite,
  audit: 'reads',
  expensive: 'call',
  body: strict({ token: hubspotToken }).meta({ id: 'HubspotToken' }),
  answer: json(200, contactProperties),
  problems: ['too_many_calls'],
});

export const readHubspotProperties = call({
  method: 'get',
  path: '/workspaces/:workspace_id/destinations/:destination_id/properties',
  tag,
  summary: 'List the contact properties that a destination can set',
  description: 'Asks HubSpot with the stored access token. Other kinds of destinations have none.',
  access: mayWrite,
  expensive: 'call',
  answer: json(200, contactProperties),
  problems: ['too_many_calls'],
});

export const hubspotCalls = [listHubspotProperties, readHubspotProperties] as const;
