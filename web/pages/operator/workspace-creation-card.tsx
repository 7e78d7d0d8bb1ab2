import { Box, Radio, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InstanceSettings } from '../../../src/contract/operator.ts';
import { operatorAuditQuery } from '../../api/audit-queries.ts';
import { api } from '../../api/client.ts';
import { instanceSettingsQuery } from '../../api/operator-queries.ts';
import { meQuery } from '../../api/queries.ts';
import { Loaded } from '../../parts/states.tsx';
import { toastProblem } from '../../parts/toast.ts';

type Choice = InstanceSettings['workspace_creation'];

const choices: { value: Choice; label: string; description: string }[] = [
  {
    value: 'operators',
    label: 'Operators',
    description: 'Everyone else asks an operator and is invited to the new workspace.',
  },
  {
    value: 'everyone',
    label: 'Everyone',
    description: 'Each person can create or own up to ten workspaces.',
  },
];

export function WorkspaceCreationCard() {
  const query = useQuery(instanceSettingsQuery);
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="sm" id="workspace-creation-title">
        Workspace creation
      </Title>
      <Loaded query={query} rows={2}>
        {(settings) => <Choices settings={settings} />}
      </Loaded>
    </Box>
  );
}

function Choices({ settings }: { settings: InstanceSettings }) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (workspace_creation: Choice) =>
      api('PUT', '/operator/settings', { body: { workspace_creation } }),
    onSuccess: () =>
      Promise.all(
        [instanceSettingsQuery.queryKey, operatorAuditQuery.queryKey, meQuery.queryKey].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
    onError: toastProblem,
  });
  return (
    <Stack gap="sm">
      <Radio.Group
        aria-labelledby="workspace-creation-title"
        value={change.isPending ? change.variables : settings.workspace_creation}
        onChange={(value) => change.mutate(value as Choice)}
      >
        <Stack gap="sm">
          {choices.map((choice) => (
            <Radio key={choice.value} {...choice} disabled={change.isPending} />
          ))}
        </Stack>
      </Radio.Group>
      {settings.workspace_creation_chosen === null && (
        <Text size="xs" c="dimmed">
          This is the default while the service has an operator.
        </Text>
      )}
    </Stack>
  );
}
