import { Modal, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../../src/contract/workspaces/member.ts';
import { api } from '../../api/client.ts';
import { invitationsQuery, resetMailQuery } from '../../api/queries.ts';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { HandedLink } from '../../parts/dialogs/handed-link.tsx';
import { faultOf, remainingProblem } from '../../parts/problem.ts';

export function InviteDialog(props: { workspaceId: string; opened: boolean; onClose: () => void }) {
  const { workspaceId, opened, onClose } = props;
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Member['role']>('member');
  const invite = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/invitations', {
        params: { workspace_id: workspaceId },
        body: { email, role },
      }),
  });
  const again = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/invitations/:invitation_id/send', {
        params: { workspace_id: workspaceId, invitation_id: invite.data?.id ?? '' },
      }),
  });
  const made = again.data ?? invite.data;
  const mailed = useQuery(resetMailQuery).data?.mailed;
  const close = () => {
    onClose();
    invite.reset();
    again.reset();
    setEmail('');
    void queryClient.invalidateQueries({ queryKey: invitationsQuery(workspaceId).queryKey });
  };
  const problem = remainingProblem(invite.error, ['email', 'role']);
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>Invite somebody</Text>}>
      {made ? (
        <HandedLink made={made} email={made.email} again={again} onDone={close}>
          Pass this link on to {made.email}. It is shown only now, and whoever has it can join.
        </HandedLink>
      ) : (
        <DialogForm
          submitLabel={mailed ? 'Send invitation' : 'Make the link'}
          problem={problem}
          mutation={invite}
          onCancel={close}
        >
          <TextInput
            label="Email"
            type="email"
            data-autofocus
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={faultOf(invite.error, 'email')}
          />
          <SegmentedControl
            aria-label="Role"
            data={[
              { value: 'member', label: 'Member' },
              { value: 'owner', label: 'Owner' },
            ]}
            value={role}
            onChange={(value) => setRole(value as Member['role'])}
          />
        </DialogForm>
      )}
    </Modal>
  );
}
