import { z } from 'zod';
import { call, json, none } from '../call.ts';
import { linkToken } from '../people.ts';
import { id, strict, time } from '../shape.ts';

const tag = 'Ingest tokens';
/** A vector and a tag, with at least something in between. */
const ciphertextCharactersMin = 39;
const ciphertextCharactersMax = 400;

const ciphertext = z
  .base64url()
  .min(ciphertextCharactersMin)
  .max(ciphertextCharactersMax)
  .describe(
    'The token, encrypted with AES-256-GCM: an initialisation vector of 12 bytes, then the ciphertext with its tag, in base64url. The service never sees the key.',
  );

export const handoverLink = z
  .object({
    id,
    created_at: time,
    expires_at: time,
    created_by: z.string().nullable().describe('Who created the link. Null for the operator key.'),
  })
  .meta({ id: 'HandoverLink' });

const newHandoverLink = strict({ ciphertext }).meta({ id: 'NewHandoverLink' });
const createdHandoverLink = handoverLink
  .extend({
    link: z
      .string()
      .describe('Shown only in this response. Add `&key=` and the key in base64url before you pass it on.'),
  })
  .meta({ id: 'CreatedHandoverLink' });
const handoverToken = strict({ token: linkToken }).meta({ id: 'HandoverToken' });
const handoverPreview = z
  .object({
    token_name: z.string(),
    hint: z.string(),
    form: z.string().describe('The name of its form.'),
    workspace: z.string().describe('The name of the workspace.'),
    created_by: z.string().nullable().describe('Who created the link. Null for the operator key.'),
    expires_at: time,
  })
  .meta({ id: 'HandoverPreview' });
const openedHandover = z.object({ ciphertext }).meta({ id: 'OpenedHandover' });

export const createHandoverLink = call({
  method: 'post',
  path: '/workspaces/:workspace_id/tokens/:token_id/handover-links',
  tag,
  summary: 'Create a hand-over link',
  description:
    'A link that shows the token once, within 72 hours. The caller encrypts the token and puts the key in the fragment of the link, which browsers never send. The link ends when it is opened or cancelled, with the token, and with the permissions of its creator; it does not open while the workspace is suspended. A token can have 3 open links.',
  access: { by: 'owner', scope: 'tokens:write' },
  gives: 'secret',
  body: newHandoverLink,
  answer: json(201, createdHandoverLink),
  problems: ['quota_reached', 'token_ended'],
});

export const cancelHandoverLink = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/tokens/:token_id/handover-links/:link_id',
  tag,
  summary: 'Cancel a hand-over link',
  access: { by: 'owner', scope: 'tokens:write' },
  answer: none,
});

export const previewHandoverLink = call({
  method: 'post',
  path: '/handover-links/preview',
  tag,
  summary: 'Preview a hand-over link',
  description:
    'Says who hands over which token. Does not open the link. It is a POST so that the token of the link does not end up in URL logs.',
  access: { by: 'public' },
  audit: 'reads',
  body: handoverToken,
  answer: json(200, handoverPreview),
  problems: ['not_found', 'too_many_requests'],
});

export const openHandoverLink = call({
  method: 'post',
  path: '/handover-links/open',
  tag,
  summary: 'Open a hand-over link',
  description:
    'Returns the encrypted token and deletes it. Works once: a link that was opened, has ended or never existed gets the same response.',
  access: { by: 'public' },
  audit: 'itself',
  secret: true,
  body: handoverToken,
  answer: json(200, openedHandover),
  problems: ['not_found', 'too_many_requests'],
});

export const handoverCalls = [
  createHandoverLink,
  cancelHandoverLink,
  previewHandoverLink,
  openHandoverLink,
] as const;
