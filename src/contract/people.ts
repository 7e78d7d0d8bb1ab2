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
/** The service checks its strength; this only bounds its length. */
export const password = z.string().min(1).max(1000);
export const linkToken = z.string().min(1).max(200).describe('The part of the link after `#token=`.');

const me = z
  .object({
    user: z.object({ id, name: z.string(), email: z.string(), operator: z.boolean() }),
    may_create_workspaces: z.boolean().describe('Operators of the service decide this.'),
    workspaces: z.array(z.object({ id, name: z.string(), status: workspaceStatus, role })),
  })
  .meta({ id: 'Me' });

const passwordCheck = strict({ password }).meta({ id: 'PasswordCheck' });

const setupState = z
  .object({ needed: z.boolean().describe('True until there is someone who can sign in.') })
  .meta({ id: 'SetupState' });
const newSetup = strict({
  token: linkToken,
  name: personName,
  email,
  password,
  workspace_name: line(200),
}).meta({ id: 'NewSetup' });

const newPasswordLink = strict({ email }).meta({ id: 'NewPasswordLink' });
/** How a link that was created for someone else was delivered. */
export const linkDelivery = {
  link: z
    .string()
    .nullable()
    .describe('Shown only in this response. Null with a mail server: the link is then only sent by email.'),
  mail: z
    .enum(['sent', 'failed', 'off'])
    .describe('Whether the link was sent by email; `off` without a mail server.'),
  notice: z.string().optional().describe('With `failed`: what was kept, and how to send it again.'),
};
const passwordLink = z.object({ ...linkDelivery, expires_at: time }).meta({ id: 'PasswordLink' });
const passwordResetMail = z
  .object({
    mailed: z
      .boolean()
      .describe('False without a mail server: an owner or operator then has to create a link.'),
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
  summary: 'Check whether setup is needed',
  operation: 'readWhetherTheServiceHasToBeSetUp',
  access: { by: 'public' },
  answer: json(200, setupState),
});

export const setUp = call({
  method: 'post',
  path: '/setup',
  tag: 'Account',
  summary: 'Set up the service',
  description:
    'Creates the first person, who is an operator, and their workspace, and signs them in. The link with the token works for 24 hours; every start prints a new one until there is an account.',
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
  summary: 'Read the signed-in person',
  operation: 'readWhoIsSignedIn',
  access: { by: 'person' },
  secret: true,
  answer: json(200, me),
});

export const checkPassword = call({
  method: 'post',
  path: '/me/password-check',
  tag: 'Account',
  summary: 'Confirm your password',
  description:
    'Calls that show or replace a secret respond with `403 password_needed` to a session whose password was last entered more than 10 minutes ago. Confirm the password and repeat the call. Signing in counts, too. This applies to the session that makes the call, not to other sessions of the person. Attempts are limited together with those to sign in.',
  access: { by: 'person' },
  // Security events record how it ended.
  audit: 'reads',
  body: passwordCheck,
  answer: none,
  problems: ['too_many_requests'],
});

export const readPasswordResetMail = call({
  method: 'get',
  path: '/password-resets',
  tag: 'Account',
  summary: 'Check whether password reset links are emailed',
  operation: 'readWhetherLinksToANewPasswordAreMailed',
  access: { by: 'public' },
  answer: json(200, passwordResetMail),
});

export const askForPasswordReset = call({
  method: 'post',
  path: '/password-resets',
  tag: 'Account',
  summary: 'Request a password reset link',
  operation: 'askForALinkToANewPassword',
  description:
    'The link is emailed and works once, for an hour. The response is the same whether or not the email address has an account.',
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
  summary: 'Preview a password reset link',
  operation: 'readWhosePasswordALinkResets',
  description:
    'Says whose password the link resets. It is a POST so that the token does not end up in URL logs.',
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
  summary: 'Set a new password with a link',
  operation: 'setANewPasswordByALink',
  description: 'Ends all links and sessions of the person. Sign in with the new password afterwards.',
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
  summary: 'Create a password reset link',
  operation: 'makeALinkToANewPassword',
  description:
    'For a person who belongs to this workspace only and is not an operator; for anyone else, an operator has to create the link. It works once, for 24 hours, while this stays true and its creator stays an owner. With a mail server, it is only emailed to the person. Calling this again creates a new link and ends the previous one.',
  access: { by: 'owner' },
  gives: 'secret',
  answer: json(201, passwordLink),
  problems: ['too_many_requests'],
});

export const makeOperatorPasswordLink = call({
  method: 'post',
  path: '/operator/password-links',
  tag: 'Operator',
  summary: 'Create a password reset link for anyone',
  operation: 'makeALinkToANewPasswordForAnybody',
  description:
    'The link works once, for 24 hours, while its creator stays an operator. Only the operator key can create one for an operator. With a mail server, it is only emailed to the person. The audit logs of their workspaces show that it was used, and who created it.',
  access: { by: 'operator' },
  gives: 'secret',
  audited: ['email'],
  body: newPasswordLink,
  answer: json(201, passwordLink),
  problems: ['not_found', 'too_many_requests'],
});
