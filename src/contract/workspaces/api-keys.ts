import { z } from 'zod';
import { scopes } from '../../domain/api-key/scope.ts';
import { call, json, none, page } from '../call.ts';
import { id, line, pageOf, pageQuery, strict, time, timeInput } from '../shape.ts';

const scope = z.enum(scopes);

const apiKey = z
  .object({
    id,
    name: z.string(),
    scopes: z.array(scope),
    hint: z.string().describe('Enough of the key to recognise it.'),
    status: z.enum(['active', 'expired', 'revoked']),
    created_at: time,
    created_by: z
      .object({
        id,
        name: z.string(),
        is_member: z.boolean().describe('False once they have left the workspace; the key keeps working.'),
      })
      .nullable()
      .describe('Null if it was created with the operator key.'),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    last_used_at: time.nullable().describe('To the minute.'),
  })
  .meta({ id: 'ApiKey' });
const apiKeyPage = pageOf(apiKey).meta({ id: 'ApiKeyPage' });
const apiKeyListQuery = strict(pageQuery);

export const newApiKey = strict({
  name: line(200),
  scopes: z
    .array(scope)
    .min(1, 'choose at least one')
    .transform((given) => scopes.filter((one) => given.includes(one)))
    .describe('What the key may do. It cannot be changed later.'),
  expires_at: timeInput.nullish().describe('If left out, the key works until you revoke it.'),
}).meta({ id: 'NewApiKey' });

const createdApiKey = apiKey
  .extend({ key: z.string().describe('Shown only in this response.') })
  .meta({ id: 'CreatedApiKey' });

const ownApiKey = apiKey.omit({ created_by: true }).meta({ id: 'OwnApiKey' });

export type ApiKey = z.output<typeof apiKey>;

export const createApiKey = call({
  method: 'post',
  path: '/workspaces/:workspace_id/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'For a program that uses this API in one workspace: it sends `Authorization: Bearer lgk_…`. The key is shown only in this response; the service stores a hash of it.',
  access: { by: 'owner' },
  gives: 'secret',
  audited: ['name', 'scopes', 'expires_at'],
  body: newApiKey,
  answer: json(201, createdApiKey),
  problems: ['quota_reached'],
});

export const listApiKeys = call({
  method: 'get',
  path: '/workspaces/:workspace_id/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description: 'Includes revoked and expired keys.',
  access: { by: 'owner' },
  query: apiKeyListQuery,
  answer: page(apiKeyPage),
});

export const readOwnApiKey = call({
  method: 'get',
  path: '/key',
  tag: 'API keys',
  summary: 'Read the API key of the call',
  description: 'What a program may do with its key, and until when. `404` for the operator key.',
  access: { by: 'operator_key', scope: 'any' },
  answer: json(200, ownApiKey),
  problems: ['not_found'],
});

export const revokeApiKey = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/api-keys/:api_key_id',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'Takes effect immediately and permanently. Revoking a key again changes nothing.',
  access: { by: 'owner' },
  answer: none,
});
