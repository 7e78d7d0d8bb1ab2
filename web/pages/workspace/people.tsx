import { Box, Button, Group, Select, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Member } from '../../../src/contract/workspaces/member.ts';
import { api } from '../../api/client.ts';
import { invitationsQuery, membersQuery } from '../../api/queries.ts';
import { useAskedDialog } from '../../parts/dialogs/asked-dialog.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toastProblem } from '../../parts/toast.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { PasswordLink } from './password-link.tsx';

const roles = [
  { value: 'owner', label: 'Owner' },
  { value: 'member', label: 'Member' },
];

/** Owners change settings and see diagnostics; members read and mark leads. */
export function People({ workspaceId }: { workspaceId: string }) {
  const members = useQuery(membersQuery(workspaceId));
  const [isInviting, invite] = useDisclosure();
  useAskedDialog('invitation', invite.open);
  return (
    <Box className="panel" p="lg">
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} size="h5">
            People
          </Title>
          <Text size="sm" c="dimmed">
            Owners manage settings, secrets and diagnostics. Members work with leads.
          </Text>
        </div>
        <Button variant="default" leftSection={<Icon name="plus" size={15} />} onClick={invite.open}>
          Invite
        </Button>
      </Group>
      <Loaded query={members} rows={2}>
        {({ items }) => (
          <StackedTable minWidth={540}>
            <Table verticalSpacing="xs" horizontalSpacing={0}>
              <Table.Tbody>
                {items.map((member) => (
                  <MemberRow key={member.id} member={member} workspaceId={workspaceId} />
                ))}
              </Table.Tbody>
            </Table>
          </StackedTable>
        )}
      </Loaded>
      <Invitations workspaceId={workspaceId} />
      <InviteDialog workspaceId={workspaceId} opened={isInviting} onClose={invite.close} />
    </Box>
  );
}

function MemberRow({ member, workspaceId }: { member: Member; workspaceId: string }) {
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const [isLinking, link] = useDisclosure();
  // Invitations and links that someone created as an owner end with the role.
  const refresh = () =>
    Promise.all(
      [membersQuery(workspaceId), invitationsQuery(workspaceId)].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  const change = useMutation({
    mutationFn: (role: Member['role']) =>
      api('PATCH', '/workspaces/:workspace_id/members/:person_id', {
        params: { workspace_id: workspaceId, person_id: member.id },
        body: { role },
      }),
    onSuccess: refresh,
    onError: toastProblem,
  });
  const remove = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/members/:person_id', {
        params: { workspace_id: workspaceId, person_id: member.id },
      }),
    onSuccess: () => {
      ask.close();
      return refresh();
    },
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550} className="wrap">
          {member.name}
        </Text>
        <Text size="xs" c="dimmed" className="wrap">
          {member.email}
        </Text>
      </Table.Td>
      <Table.Td w={130}>
        <Select
          size="xs"
          aria-label={`Role of ${member.name}`}
          data={roles}
          value={member.role}
          allowDeselect={false}
          onChange={(role) => role !== null && role !== member.role && change.mutate(role as Member['role'])}
        />
      </Table.Td>
      <Table.Td w={220} ta="right">
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={link.open}
          aria-label={`Reset password of ${member.name}`}
        >
          Reset password
        </Button>
        <PasswordLink member={member} workspaceId={workspaceId} opened={isLinking} onClose={link.close} />
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={ask.open}
          aria-label={`Remove ${member.name}`}
        >
          Remove
        </Button>
        <Confirm
          opened={isAsking}
          title={`Remove ${member.name}?`}
          action="Remove"
          mutation={remove}
          onClose={ask.close}
        >
          {member.email} loses access to this workspace immediately. Invitations and links they created stop
          working. Their account is kept.
        </Confirm>
      </Table.Td>
    </Table.Tr>
  );
}
