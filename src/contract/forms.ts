import { z } from 'zod';
import { surfaces } from '../domain/surface.ts';
import { call, json, none, page } from './call.ts';
import { formActivity } from './forms/activity.ts';
import {
  form,
  formChanges,
  formListQuery,
  formPage,
  newForm,
  newWebhookSecret,
  webhookSecret,
  webhookSecretUse,
} from './forms/form.ts';
import {
  aliasEnd,
  formerSlug,
  formerSlugHolders,
  formerSlugListQuery,
  formerSlugPage,
  formerSlugQuery,
  formerSlugRelease,
  slugCheck,
  slugCheckQuery,
} from './forms/slug.ts';
import { id, strict } from './shape.ts';

const testLeadRequest = strict({}).meta({ id: 'TestLeadRequest' });

const testLead = z
  .object({
    surface: z.enum(surfaces),
    status: z.int().describe('The response status: 202, or 200 for a rejection.'),
    submission_id: id.nullable(),
    request_id: z.string().nullable().describe('Use it to find a rejection in the diagnostics.'),
    took_ms: z.int(),
  })
  .meta({ id: 'TestLead' });

export type TestLead = z.output<typeof testLead>;

export const createForm = call({
  method: 'post',
  path: '/workspaces/:workspace_id/forms',
  tag: 'Forms',
  summary: 'Create a form',
  description: 'If you leave out the slug, it is made from the name.',
  access: { by: 'owner', scope: 'forms:write' },
  audited: [
    'name',
    'slug',
    'active',
    'replay_protection',
    'keeps_rejected',
    'unknown_keys',
    'allow_shared_slug',
  ],
  body: newForm,
  answer: json(201, form),
  problems: ['slug_taken', 'quota_reached'],
});

export const listForms = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms',
  tag: 'Forms',
  summary: 'List forms',
  access: { by: 'member', scope: 'forms:read' },
  expensive: 'call',
  query: formListQuery,
  answer: page(formPage),
});

export const readFormActivity = call({
  method: 'get',
  path: '/workspaces/:workspace_id/form-activity',
  tag: 'Forms',
  summary: 'Read how much each form is used',
  description: 'Of every form that is not deleted. Counts lag by a few seconds at most.',
  access: { by: 'member', scope: 'forms:read' },
  expensive: 'call',
  answer: json(200, formActivity),
});

export const readForm = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms/:form_id',
  tag: 'Forms',
  summary: 'Read a form',
  access: { by: 'member', scope: 'forms:read' },
  answer: json(200, form),
});

export const changeForm = call({
  method: 'patch',
  path: '/workspaces/:workspace_id/forms/:form_id',
  tag: 'Forms',
  summary: 'Change a form',
  description:
    'Fields that you leave out stay the same. Leads sent to a former slug are rejected, unless you keep it as an alias; it stays reserved for the workspace.',
  access: { by: 'owner', scope: 'forms:write' },
  audited: [
    'name',
    'slug',
    'active',
    'replay_protection',
    'keeps_rejected',
    'unknown_keys',
    'keep_former_slug',
    'allow_shared_slug',
  ],
  body: formChanges,
  answer: json(200, form),
  problems: ['slug_taken', 'alias_not_available', 'too_many_former_slugs', 'too_many_slug_changes'],
});

export const deleteForm = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/forms/:form_id',
  tag: 'Forms',
  summary: 'Delete a form',
  description: 'Its leads stay. Its webhook secret is erased, and its slug stays reserved for the workspace.',
  access: { by: 'owner', scope: 'forms:write' },
  answer: none,
  problems: ['too_many_former_slugs', 'too_many_slug_changes'],
});

export const checkSlug = call({
  method: 'get',
  path: '/workspaces/:workspace_id/slug-check',
  tag: 'Forms',
  summary: 'Check whether a slug is available',
  operation: 'askWhetherASlugIsAvailable',
  description:
    'For checks while someone types. This reserves nothing; the slug can still be taken before you create the form.',
  access: { by: 'owner', scope: 'forms:write' },
  query: slugCheckQuery,
  answer: json(200, slugCheck),
});

export const listFormerSlugs = call({
  method: 'get',
  path: '/workspaces/:workspace_id/former-slugs',
  tag: 'Forms',
  summary: 'List former slugs',
  description: 'Slugs that forms of the workspace no longer use. No other workspace can use them.',
  access: { by: 'owner', scope: 'forms:read', operatorsToo: true },
  query: formerSlugListQuery,
  answer: page(formerSlugPage),
});

export const endAlias = call({
  method: 'post',
  path: '/workspaces/:workspace_id/former-slugs/end-alias',
  tag: 'Forms',
  summary: 'End the alias of a former slug',
  description:
    'From then on, leads sent to the former slug are rejected. It stays reserved for the workspace. Without an alias, nothing changes.',
  access: { by: 'owner', scope: 'forms:write' },
  audited: ['slug'],
  body: aliasEnd,
  answer: json(200, formerSlug),
});

export const releaseFormerSlug = call({
  method: 'post',
  path: '/workspaces/:workspace_id/former-slugs/release',
  tag: 'Operator',
  summary: 'Release a former slug',
  description: [
    'For operators. This ends its alias. Any workspace can use the slug from then on, and receives what old senders still post to it:',
    'first make sure that none do.',
  ].join(' '),
  access: { by: 'owner', operatorsToo: true },
  audited: ['slug', 'reason'],
  body: formerSlugRelease,
  answer: json(200, formerSlug),
});

export const findFormerSlugHolders = call({
  method: 'get',
  path: '/operator/former-slugs',
  tag: 'Operator',
  summary: 'Find the workspaces that hold a former slug',
  operation: 'findOutWhoseFormerSlugItIs',
  access: { by: 'operator' },
  query: formerSlugQuery,
  answer: json(200, formerSlugHolders),
});

export const setWebhookSecret = call({
  method: 'put',
  path: '/workspaces/:workspace_id/forms/:form_id/webhook-secret',
  tag: 'Forms',
  summary: 'Set or rotate the webhook secret',
  description:
    'The secret is shown only in this response. At most two secrets are valid at a time: rotating during an overlap ends it.',
  access: { by: 'owner', scope: 'tokens:write' },
  gives: 'secret',
  audited: ['overlap_seconds'],
  body: newWebhookSecret,
  answer: json(200, webhookSecret),
});

export const removeWebhookSecret = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/forms/:form_id/webhook-secret',
  tag: 'Forms',
  summary: 'Remove the webhook secret',
  description: 'From then on, every webhook submission to the form is rejected. This also ends an overlap.',
  access: { by: 'owner', scope: 'tokens:write' },
  answer: none,
});

export const endSecretOverlap = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/forms/:form_id/webhook-secret/previous',
  tag: 'Forms',
  summary: 'End the overlap of a rotation',
  description: 'From then on, only the newest secret is valid. Without an overlap, nothing changes.',
  access: { by: 'owner', scope: 'tokens:write' },
  answer: none,
});

export const readWebhookSecretUse = call({
  method: 'get',
  path: '/workspaces/:workspace_id/forms/:form_id/webhook-secret',
  tag: 'Forms',
  summary: 'Read the state and use of the webhook secret',
  operation: 'readHowFarTheFormerWebhookSecretIsStillUsed',
  description:
    'What identifies the secret, who set it and when it last matched. During an overlap, also whether you can end it. Counts lag by a few seconds at most.',
  access: { by: 'owner', scope: 'forms:read' },
  answer: json(200, webhookSecretUse),
});

export const sendTestLead = call({
  method: 'post',
  path: '/workspaces/:workspace_id/forms/:form_id/test-lead',
  tag: 'Forms',
  summary: 'Send a signed test lead',
  description: [
    'Signs an example with the webhook secret and posts it to the webhook URL, as a provider would. It counts and is',
    'stored like any other lead; its field `test` is true.',
  ].join(' '),
  access: { by: 'owner', scope: 'forms:write' },
  body: testLeadRequest,
  answer: json(200, testLead),
  problems: ['secret_unreadable'],
});
