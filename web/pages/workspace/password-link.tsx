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

/** For somebody who cannot sign in any more. */
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
    <Modal opened={opened} onClose={close} title={<Text fw={620}>New password for {member.name}</Text>}>
      {made ? (
        <HandedLink made={made} email={member.email} again={form.mutation} onDone={close}>
          Pass this link on to {member.email}. It works once, until {exactTime(made.expires_at)}. Whoever has
          it can choose the password.
        </HandedLink>
      ) : (
        <DialogForm form={form} submitLabel={mailed ? 'Send the link' : 'Make the link'} onCancel={close}>
          <Text size="sm" className="wrap">
            A link lets {member.email} choose a new password. When it is used, the person is signed out
            everywhere. The audit log keeps that you made it.
          </Text>
        </DialogForm>
      )}
    </Modal>
  );
}
