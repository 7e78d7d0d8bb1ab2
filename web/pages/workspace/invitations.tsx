import { Button, Group, Modal, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Invitation } from '../../../src/contract/workspaces/member.ts';
import { api } from '../../api/client.ts';
import { invitationsQuery, resetMailQuery } from '../../api/queries.ts';
import { HandedLink } from '../../parts/dialogs/handed-link.tsx';
import { Tag } from '../../parts/tag.tsx';
import { TimeAgo, TimeUntil } from '../../parts/time.tsx';
import { toastProblem } from '../../parts/toast.ts';

/** Invitations that nobody has accepted, including those that have just expired. */
export function Invitations({ workspaceId }: { workspaceId: string }) {
  const open = useQuery(invitationsQuery(workspaceId)).data?.items ?? [];
  const isMailed = useQuery(resetMailQuery).data?.mailed === true;
  return open.map((invitation) => (
    <InvitationRow
      key={invitation.id}
      invitation={invitation}
      workspaceId={workspaceId}
      isMailed={isMailed}
    />
  ));
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly workspaceId: string;
  readonly isMailed: boolean;
}

function InvitationRow({ invitation, workspaceId, isMailed }: InvitationRowProps) {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: invitationsQuery(workspaceId).queryKey });
  const withdraw = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/invitations/:invitation_id', {
        params: { workspace_id: workspaceId, invitation_id: invitation.id },
      }),
    onSuccess: refresh,
    onError: toastProblem,
  });
  const send = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/invitations/:invitation_id/send', {
        params: { workspace_id: workspaceId, invitation_id: invitation.id },
      }),
    onError: toastProblem,
  });
  const close = () => {
    send.reset();
    void refresh();
  };
  const { email, invited_by: inviter } = invitation;
  const isExpired = invitation.status === 'expired';
  return (
    <Group justify="space-between" py={6} className="field">
      <Group gap="xs">
        <Text size="sm" className="wrap">
          {email}
        </Text>
        <Tag tone="quiet">Invited as {invitation.role}</Tag>
        {isExpired && (
          <Tag tone="warning" icon="clock">
            Expired
          </Tag>
        )}
        {isMailed && !isExpired && invitation.mailed_at === null && <Tag tone="bad">Email not sent</Tag>}
        <Text size="xs" c="dimmed" component="div" className="wrap">
          {inviter === null ? '' : `by ${inviter.name} · `}link {isExpired ? 'expired ' : 'expires '}
          {isExpired ? (
            <TimeAgo time={invitation.expires_at} size="xs" />
          ) : (
            <TimeUntil time={invitation.expires_at} size="xs" />
          )}
        </Text>
      </Group>
      <Group gap={0}>
        <Button
          size="compact-sm"
          variant="subtle"
          loading={send.isPending}
          onClick={() => send.mutate()}
          aria-label={`${isMailed ? 'Send again' : 'Create new link'}: ${email}`}
        >
          {isMailed ? 'Send again' : 'Create new link'}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => withdraw.mutate()}
          aria-label={`Withdraw the invitation for ${email}`}
        >
          Withdraw
        </Button>
      </Group>
      <Modal
        opened={send.data !== undefined}
        onClose={close}
        title={<Text fw={620}>Invitation for {email}</Text>}
      >
        {send.data && (
          <HandedLink made={send.data} email={email} again={send} onDone={close}>
            Send this link to {email}. It is shown only once, and anyone with the link can join. The previous
            link no longer works.
          </HandedLink>
        )}
      </Modal>
    </Group>
  );
}
