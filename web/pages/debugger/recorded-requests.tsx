import { Box, Group, Radio, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { entriesQuery } from '../../api/queries.ts';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { signingFailures } from '../../parts/text/rejection-name.ts';
import { TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

interface RecordedRequestsProps {
  readonly formId: string;
  readonly chosen: string | undefined;
  onChoose(rejectionId: string): void;
}

export function RecordedRequests({ formId, chosen, onChoose }: RecordedRequestsProps) {
  const query = useInfiniteQuery(entriesQuery(useWorkspaceId(), { form_id: formId, ...signingFailures }));
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading rows={3} />;
  const entries = query.data.pages.flatMap(({ items }) => items);
  if (entries.length === 0 && !query.hasNextPage) {
    return (
      <Text size="sm" c="dimmed">
        No webhook request to this form was rejected for its signature in the last 30 days.
      </Text>
    );
  }
  return (
    <Box mah={320} style={{ overflow: 'auto' }}>
      <Radio.Group value={chosen ?? null} onChange={onChoose} label="Rejected requests">
        <Stack gap={6} mt={6}>
          {entries.map((entry) => (
            <Radio
              key={entry.id}
              value={entry.id}
              size="sm"
              label={
                <Group gap="xs">
                  <Text size="sm" ff="monospace">
                    {entry.reason}
                  </Text>
                  <Text size="xs" c="dimmed" component="span">
                    <TimeAgo time={entry.at} size="xs" />
                  </Text>
                </Group>
              }
            />
          ))}
        </Stack>
      </Radio.Group>
      <MoreButton label="Show more" query={query} />
    </Box>
  );
}
