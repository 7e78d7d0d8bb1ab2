import { z } from 'zod';
import { roles } from '../domain/role.ts';
import { id, line, strict, time } from './shape.ts';
import { workspaceStatus } from './workspace.ts';

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

export const me = z
  .object({
    user: z.object({ id, name: z.string(), email: z.string(), operator: z.boolean() }),
    may_create_workspaces: z.boolean().describe('Decided by the operators of the service.'),
    workspaces: z.array(z.object({ id, name: z.string(), status: workspaceStatus, role })),
  })
  .meta({ id: 'Me' });

export const setupState = z
  .object({ needed: z.boolean().describe('True while there is nobody who could sign in.') })
  .meta({ id: 'SetupState' });
export const newSetup = strict({
  token: linkToken,
  name: personName,
  email,
  password,
  workspace_name: line(200),
}).meta({ id: 'NewSetup' });

export const newPasswordLink = strict({ email }).meta({ id: 'NewPasswordLink' });
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
export const passwordLink = z.object({ ...linkDelivery, expires_at: time }).meta({ id: 'PasswordLink' });
export const passwordResetMail = z
  .object({
    mailed: z.boolean().describe('False without a mail server: then an owner or operator makes a link.'),
  })
  .meta({ id: 'PasswordResetMail' });
export const passwordResetToken = strict({ token: linkToken }).meta({ id: 'PasswordResetToken' });
export const passwordResetPreview = z.object({ email: z.string() }).meta({ id: 'PasswordResetPreview' });
export const passwordReset = strict({ token: linkToken, password }).meta({ id: 'PasswordReset' });

export type Me = z.output<typeof me>;
