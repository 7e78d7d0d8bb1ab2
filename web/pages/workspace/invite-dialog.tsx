import { Modal, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Member } from '../../../src/contract/workspaces/member.ts';
import { api } from '../../api/client.ts';
import { invitationsQuery, resetMailQuery } from '../../api/queries.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { HandedLink } from '../../parts/dialogs/handed-link.tsx';

export function InviteDialog(props: { workspaceId: string; opened: boolean; onClose: () => void }) {
  const { workspaceId, opened, onClose } = props;
  const queryClient = useQueryClient();
  const form = useApiForm({
    initialValues: { email: '', role: 'member' as Member['role'] },
    send: (body) =>
      api('POST', '/workspaces/:workspace_id/invitations', {
        params: { workspace_id: workspaceId },
        body,
      }),
  });
  const again = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/invitations/:invitation_id/send', {
        params: { workspace_id: workspaceId, invitation_id: form.mutation.data?.id ?? '' },
      }),
  });
  const made = again.data ?? form.mutation.data;
  const mailed = useQuery(resetMailQuery).data?.mailed;
  const close = () => {
    onClose();
    form.reset();
    again.reset();
    void queryClient.invalidateQueries({ queryKey: invitationsQuery(workspaceId).queryKey });
  };
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>New invitation</Text>}>
      {made ? (
        <HandedLink made={made} email={made.email} again={again} onDone={close}>
          Send this link to {made.email}. It is shown only once, and anyone with the link can join.
        </HandedLink>
      ) : (
        <DialogForm form={form} submitLabel={mailed ? 'Send invitation' : 'Create link'} onCancel={close}>
          <TextInput label="Email" type="email" data-autofocus required {...form.getInputProps('email')} />
          <SegmentedControl
            aria-label="Role"
            data={[
              { value: 'member', label: 'Member' },
              { value: 'owner', label: 'Owner' },
            ]}
            {...form.getInputProps('role', { withError: false })}
          />
        </DialogForm>
      )}
    </Modal>
  );
}
