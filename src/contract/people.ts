import { z } from 'zod';
import { roles } from '../domain/role.ts';
import { call, json, none } from './call.ts';
import { id, line, strict, time } from './shape.ts';
import { workspaceStatus } from './workspaces/workspace.ts';

export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email({ error: 'use an email address' }));
export const role = z.enum(roles);
export const personName = line(200);
/** What makes a good one, the service checks; here only that it can be one at all. */
export const password = z.string().min(1).max(1000);
export const linkToken = z.string().min(1).max(200).describe('What stands behind `#token=` in the link.');

const me = z
  .object({
    user: z.object({ id, name: z.string(), email: z.string(), operator: z.boolean() }),
    may_create_workspaces: z.boolean().describe('Decided by the operators of the service.'),
    workspaces: z.array(z.object({ id, name: z.string(), status: workspaceStatus, role })),
  })
  .meta({ id: 'Me' });

const setupState = z
  .object({ needed: z.boolean().describe('True while there is nobody who could sign in.') })
  .meta({ id: 'SetupState' });
const newSetup = strict({
  token: linkToken,
  name: personName,
  email,
  password,
  workspace_name: line(200),
}).meta({ id: 'NewSetup' });

const newPasswordLink = strict({ email }).meta({ id: 'NewPasswordLink' });
/** What became of a link that was made for somebody else. */
export const linkDelivery = {
  link: z
    .string()
    .nullable()
    .describe(
      'Shown only in this answer. Null with a mail server: then the link goes by email and to nobody else.',
    ),
  mail: z
    .enum(['sent', 'failed', 'off'])
    .describe('Whether the link was sent by email; `off` without a mail server.'),
  notice: z.string().optional().describe('With `failed`: what was kept, and how to send it again.'),
};
const passwordLink = z.object({ ...linkDelivery, expires_at: time }).meta({ id: 'PasswordLink' });
const passwordResetMail = z
  .object({
    mailed: z.boolean().describe('False without a mail server: then an owner or operator makes a link.'),
  })
  .meta({ id: 'PasswordResetMail' });
const passwordResetToken = strict({ token: linkToken }).meta({ id: 'PasswordResetToken' });
const passwordResetPreview = z.object({ email: z.string() }).meta({ id: 'PasswordResetPreview' });
const passwordReset = strict({ token: linkToken, password }).meta({ id: 'PasswordReset' });

export type Me = z.output<typeof me>;

export const readSetup = call({
  method: 'get',
  path: '/setup',
  tag: 'Account',
  summary: 'Read whether the service has to be set up',
  access: { by: 'public' },
  answer: json(200, setupState),
});

export const setUp = call({
  method: 'post',
  path: '/setup',
  tag: 'Account',
  summary: 'Set up the service',
  description:
    'Makes the first person and the workspace they own, and signs them in. The link with the token works for 24 hours; a new one is printed at each start, for as long as there is nobody.',
  access: { by: 'public' },
  audit: 'itself',
  body: newSetup,
  answer: json(201, me),
  problems: ['not_found', 'too_many_requests'],
});

export const readMe = call({
  method: 'get',
  path: '/me',
  tag: 'Account',
  summary: 'Read who is signed in',
  access: { by: 'person' },
  answer: json(200, me),
});

export const readPasswordResetMail = call({
  method: 'get',
  path: '/password-resets',
  tag: 'Account',
  summary: 'Read whether links to a new password are mailed',
  access: { by: 'public' },
  answer: json(200, passwordResetMail),
});

export const askForPasswordReset = call({
  method: 'post',
  path: '/password-resets',
  tag: 'Account',
  summary: 'Ask for a link to a new password',
  description:
    'It is mailed and works once, for an hour. The answer is the same whether or not the address has an account.',
  access: { by: 'public' },
  audit: 'itself',
  body: newPasswordLink,
  answer: json(200, passwordResetMail),
  problems: ['too_many_requests'],
});

export const readPasswordReset = call({
  method: 'post',
  path: '/password-resets/preview',
  tag: 'Account',
  summary: 'Read whose password a link resets',
  description: 'A POST, so that the token stands in no log of addresses.',
  access: { by: 'public' },
  audit: 'reads',
  body: passwordResetToken,
  answer: json(200, passwordResetPreview),
  problems: ['not_found', 'too_many_requests'],
});

export const resetPassword = call({
  method: 'post',
  path: '/password-resets/complete',
  tag: 'Account',
  summary: 'Set a new password by a link',
  description:
    'Uses up every link of the person and ends all sessions. Sign in with the new password after it.',
  access: { by: 'public' },
  audit: 'itself',
  body: passwordReset,
  answer: none,
  problems: ['not_found', 'too_many_requests'],
});

export const makePasswordLink = call({
  method: 'post',
  path: '/workspaces/:workspace_id/members/:person_id/password-link',
  tag: 'People',
  summary: 'Make a link to a new password',
  description:
    'For a person of this workspace who belongs to no other and is no operator; for anybody else an operator has to make it. The link works once, for 24 hours, and for as long as that is so and the one who made it is an owner. With a mail server it goes to the person by email only; another call makes a new link and ends this one.',
  access: { by: 'owner' },
  gives: 'secret',
  answer: json(201, passwordLink),
  problems: ['too_many_requests'],
});

export const makeOperatorPasswordLink = call({
  method: 'post',
  path: '/operator/password-links',
  tag: 'Operator',
  summary: 'Make a link to a new password for anybody',
  description:
    'The link works once, for 24 hours, and for as long as the one who made it is an operator. For an operator only the operator key can make one. With a mail server it goes to the person by email only. The workspaces of the person see in their audit logs that it was used, and who made it.',
  access: { by: 'operator' },
  gives: 'secret',
  audited: ['email'],
  body: newPasswordLink,
  answer: json(201, passwordLink),
  problems: ['not_found', 'too_many_requests'],
});
