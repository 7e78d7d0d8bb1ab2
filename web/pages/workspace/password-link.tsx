import { Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Member } from '../../../src/contract/workspaces/member.ts';
import { api } from '../../api/client.ts';
import { resetMailQuery } from '../../api/queries.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { HandedLink } from '../../parts/dialogs/handed-link.tsx';
import { exactTime } from '../../parts/time.tsx';

interface PasswordLinkProps {
  readonly member: Member;
  readonly workspaceId: string;
  readonly opened: boolean;
  onClose(): void;
}

/** For people who can no longer sign in. */
export function PasswordLink({ member, workspaceId, opened, onClose }: PasswordLinkProps) {
  const form = useApiForm({
    initialValues: {},
    send: () =>
      api('POST', '/workspaces/:workspace_id/members/:person_id/password-link', {
        params: { workspace_id: workspaceId, person_id: member.id },
      }),
  });
  const mailed = useQuery(resetMailQuery).data?.mailed;
  const close = () => {
    onClose();
    form.reset();
  };
  const made = form.mutation.data;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={<Text fw={620}>Password reset link for {member.name}</Text>}
    >
      {made ? (
        <HandedLink made={made} email={member.email} again={form.mutation} onDone={close}>
          Send this link to {member.email}. It works once and expires at {exactTime(made.expires_at)}. Anyone
          with the link can set the password.
        </HandedLink>
      ) : (
        <DialogForm form={form} submitLabel={mailed ? 'Send link' : 'Create link'} onCancel={close}>
          <Text size="sm" className="wrap">
            The link lets {member.email} choose a new password. Using it signs them out everywhere. The audit
            log records that you created it.
          </Text>
        </DialogForm>
      )}
    </Modal>
  );
}
