import { z } from 'zod';
import { email, linkDelivery, linkToken, password, personName, role } from '../people.ts';
import { changes, id, pageOf, pageQuery, strict, time } from '../shape.ts';

export const member = z
  .object({ id, name: z.string(), email: z.string(), role, joined_at: time })
  .meta({ id: 'Member' });
export const memberPage = pageOf(member).meta({ id: 'MemberPage' });
export const memberListQuery = strict(pageQuery);
export const memberChanges = changes({ role: role.optional() }).meta({ id: 'MemberChanges' });

const invitation = z
  .object({
    id,
    email: z.string(),
    role,
    status: z.enum(['open', 'expired']).describe('`expired`: its link no longer works. Send it again.'),
    created_at: time,
    expires_at: time,
    mailed_at: time.nullable().describe('Null until the email with the current link is sent.'),
    invited_by: z
      .object({ id, name: z.string(), email: z.string() })
      .nullable()
      .describe(
        'The owner who created the link. It works while they stay an owner. Null for the operator key.',
      ),
  })
  .meta({ id: 'Invitation' });
export const invitationPage = pageOf(invitation).meta({ id: 'InvitationPage' });
export const invitationListQuery = strict(pageQuery);
export const newInvitation = strict({ email, role }).meta({ id: 'NewInvitation' });
export const createdInvitation = invitation.extend(linkDelivery).meta({ id: 'CreatedInvitation' });

export const invitationToken = strict({ token: linkToken }).meta({ id: 'InvitationToken' });
export const invitationPreview = z
  .object({
    workspace_name: z.string(),
    email: z.string(),
    role,
    needs_account: z.boolean().describe('True if nobody has an account with this email yet.'),
  })
  .meta({ id: 'InvitationPreview' });
export const invitationAcceptance = strict({
  token: linkToken,
  name: personName.optional().describe('For a new account.'),
  password: password.optional().describe('For a new account.'),
}).meta({ id: 'InvitationAcceptance' });
export const joined = z.object({ workspace_id: id, workspace_name: z.string(), role }).meta({ id: 'Joined' });

export type Member = z.output<typeof member>;
export type Invitation = z.output<typeof invitation>;
