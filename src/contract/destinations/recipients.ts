import { z } from 'zod';
import { recipientStatuses } from '../../domain/destination/kind/recipient.ts';
import { call, json, none } from '../call.ts';
import { strict } from '../shape.ts';
import { destination } from './destination.ts';

const tag = 'Destinations';

const recipientAddress = strict({ address: z.email('use an email address').toLowerCase().max(254) }).meta({
  id: 'RecipientAddress',
});

const recipientToken = strict({
  token: z.string().max(200).describe('From the link in an email.'),
}).meta({ id: 'RecipientToken' });

const recipientPreview = z
  .object({
    address: z.string(),
    status: z.enum(recipientStatuses),
    destination: z.string().describe('The name of the destination.'),
    workspace: z.string().describe('The name of the workspace.'),
  })
  .meta({ id: 'RecipientPreview' });

export const askRecipient = call({
  method: 'post',
  path: '/workspaces/:workspace_id/destinations/:destination_id/recipients/confirmation',
  tag,
  summary: 'Send the confirmation link again',
  description: 'To a recipient who has not opened it, or who unsubscribed. Earlier links of theirs end.',
  access: { by: 'owner', scope: ['destinations:write', 'leads:read'] },
  audited: ['address'],
  body: recipientAddress,
  secret: true,
  answer: json(200, destination),
  problems: ['too_many_requests'],
});

export const previewRecipientLink = call({
  method: 'post',
  path: '/recipient-links/preview',
  tag,
  summary: 'Preview the link in an email to a recipient',
  description: 'It is a POST so that the token does not end up in URL logs.',
  access: { by: 'public' },
  audit: 'reads',
  body: recipientToken,
  answer: json(200, recipientPreview),
  problems: ['not_found', 'too_many_requests'],
});

export const confirmRecipient = call({
  method: 'post',
  path: '/recipient-links/confirm',
  tag,
  summary: 'Confirm that you want the emails of a destination',
  description: 'With the token of the link that was sent to your address. It works for seven days.',
  access: { by: 'public' },
  audit: 'itself',
  body: recipientToken,
  answer: none,
  problems: ['not_found', 'too_many_requests'],
});

export const unsubscribeRecipient = call({
  method: 'post',
  path: '/recipient-links/unsubscribe',
  tag,
  summary: 'Unsubscribe from the emails of a destination',
  description:
    'With the token of the link at the end of each email. It works as long as the destination exists.',
  access: { by: 'public' },
  audit: 'itself',
  body: recipientToken,
  answer: none,
  problems: ['not_found', 'too_many_requests'],
});

export const recipientCalls = [
  askRecipient,
  previewRecipientLink,
  confirmRecipient,
  unsubscribeRecipient,
] as const;
