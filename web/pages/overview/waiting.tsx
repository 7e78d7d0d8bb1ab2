import { Box, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { tokensQuery } from '../../api/queries.ts';
import { Samples } from '../../parts/samples.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** A ready command, until the first lead arrives: the query of the page polls for it. */
export function Waiting() {
  const tokens = useQuery(tokensQuery(useWorkspaceId()));
  const hint = tokens.data?.items.find(({ status }) => status === 'active')?.hint;
  return (
    <Box className="panel" p="md">
      <Title order={2} size="h5">
        Send your first lead
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {hint === undefined
          ? 'Create an ingest token, put it in the variable LEADGATE_TOKEN and run this.'
          : `Put your token (${hint}) in the variable LEADGATE_TOKEN and run this.`}
      </Text>
      <Samples surface="token" />
      <Group gap={8} mt="md" role="status">
        <span className="pulse" />
        <Text size="sm">Waiting for the first lead…</Text>
      </Group>
    </Box>
  );
}
