import { Alert, Box, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OperatorPerson } from '../../../src/contract/operator.ts';
import { api } from '../../api/client.ts';
import { operatorPersonQuery } from '../../api/operator-queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { toastDone } from '../../parts/toast.ts';

interface MakeOperatorProps {
  readonly personId: string;
  readonly opened: boolean;
  onClose(): void;
}

/** Shows everything known about a person before they get rights over every workspace. */
export function MakeOperator({ personId, opened, onClose }: MakeOperatorProps) {
  const queryClient = useQueryClient();
  const person = useQuery({ ...operatorPersonQuery(personId), enabled: opened });
  const make = useMutation({
    mutationFn: () => api('POST', '/operator/people', { body: { person_id: personId, operator: true } }),
    onSuccess: ({ name }) => {
      onClose();
      toastDone(`${name} is now an operator.`);
      return queryClient.invalidateQueries({ queryKey: ['operator'] });
    },
  });
  return (
    <Confirm
      opened={opened}
      title="Make this person an operator?"
      action="Make operator"
      isReady={person.data !== undefined}
      mutation={make}
      onClose={onClose}
    >
      <Loaded query={person} rows={3}>
        {(known) => (
          <Stack gap="sm">
            <Facts person={known} />
            <Alert color="yellow" icon={<Icon name="alert" />} p="sm">
              Names and emails are chosen by the person who creates an account. Confirm only if you have heard
              from this person that the account is theirs.
            </Alert>
          </Stack>
        )}
      </Loaded>
    </Confirm>
  );
}

function Facts({ person }: { person: OperatorPerson }) {
  const more = person.workspace_count - person.workspaces.length;
  return (
    <Box component="dl" className="facts">
      <dt>Name</dt>
      <dd className="wrap">{person.name}</dd>
      <dt>Email</dt>
      <dd className="wrap">{person.email}</dd>
      <dt>Account created</dt>
      <dd>
        <TimeAgo time={person.created_at} />
      </dd>
      <dt>Invited by</dt>
      <dd className="wrap">{inviterText(person.invited_by)}</dd>
      <dt>Workspaces</dt>
      <dd className="wrap">
        {person.workspaces.length === 0 && 'None'}
        {person.workspaces.map(({ id, name, role }) => (
          <div key={id}>
            {name} ({role})
          </div>
        ))}
        {more > 0 && <div>and {more} more</div>}
      </dd>
    </Box>
  );
}

function inviterText(inviter: OperatorPerson['invited_by']): string {
  if (inviter === null) return 'Unknown';
  if (inviter.kind === 'setup') return 'Nobody: this person set up the service';
  if (inviter.kind === 'operator_key') return 'The operator key';
  return inviter.name === null ? `${inviter.email}` : `${inviter.name}, ${inviter.email}`;
}
