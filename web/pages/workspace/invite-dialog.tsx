import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../../src/contract/member.ts';
import { workspaces } from '../../api/calls.ts';
import { invitationsQuery } from '../../api/queries.ts';
import { CopyText } from '../../parts/copy.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { faultOf, remainingProblem } from '../../parts/problem.ts';

export function InviteDialog(props: { workspaceId: string; opened: boolean; onClose: () => void }) {
  const { workspaceId, opened, onClose } = props;
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Member['role']>('member');
  const invite = useMutation({ mutationFn: () => workspaces.invite(workspaceId, { email, role }) });
  const close = () => {
    onClose();
    invite.reset();
    setEmail('');
    void queryClient.invalidateQueries({ queryKey: invitationsQuery(workspaceId).queryKey });
  };
  const problem = remainingProblem(invite.error, ['email', 'role']);
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>Invite somebody</Text>}>
      {invite.data ? (
        <Stack gap="sm">
          <Text size="sm" className="wrap">
            {invite.data.mail === 'sent'
              ? `The link was mailed to ${invite.data.email}. You can also pass it on yourself:`
              : `Pass this link on to ${invite.data.email}. It is shown only now, and whoever has it can join.`}
          </Text>
          <pre className="code wrap">{invite.data.link}</pre>
          <Group justify="space-between">
            <CopyText value={invite.data.link}>Copy link</CopyText>
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <DialogForm submitLabel="Make the link" problem={problem} mutation={invite} onCancel={close}>
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
