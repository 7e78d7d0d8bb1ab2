import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RejectionGroups } from '../../../../src/contract/diagnostics/groups.ts';
import { samplesQuery } from '../../../api/rejection-queries.ts';
import { numberText } from '../../../parts/numbers.ts';
import { Loaded } from '../../../parts/states.tsx';
import { TimeAgo } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { useLiveOptions } from '../live.ts';
import { useOpenRequest } from '../request/request-address.ts';

type RejectionGroup = RejectionGroups['items'][number];

/** The newest requests of a group: what happened to each, with its own values. */
export function Samples({ group }: { group: RejectionGroup }) {
  const workspaceId = useWorkspaceId();
  const { rejections, change } = useDiagnosticsSearch();
  const { open } = useOpenRequest();
  const { reason, surface, form_id, token_id } = group;
  const narrower = {
    reason,
    ...(surface !== null && { surface }),
    ...(form_id !== null && { form_id }),
    ...(token_id !== null && { token_id }),
  };
  const query = useQuery({
    ...samplesQuery(workspaceId, { ...rejections, ...narrower }),
    ...useLiveOptions(),
  });
  return (
    <Box px="md" pb="md">
      <Text size="sm" c="dimmed" mb="xs">
        {group.fix}{' '}
        <Anchor href={`/docs/rejection-reasons#${group.anchor}`} target="_blank" size="sm">
          About {reason}
        </Anchor>
      </Text>
      <Loaded query={query} rows={2}>
        {({ items }) => (
          <Stack gap={6}>
            {items.map(({ id, at, sentence, request_id }) => (
              <Group key={id} gap="sm" wrap="nowrap" align="baseline">
                <Box miw={90}>
                  <TimeAgo time={at} />
                </Box>
                <Text size="sm" className="wrap" style={{ flex: 1 }}>
                  {sentence}
                </Text>
                <Anchor
                  component="button"
                  size="xs"
                  onClick={() => open(id)}
                  aria-label={`Show request ${request_id}`}
                >
                  Show request
                </Anchor>
              </Group>
            ))}
            <Text size="xs" c="dimmed" className="numbers">
              Showing {items.length} of {numberText(group.count)}
            </Text>
          </Stack>
        )}
      </Loaded>
      <Button size="compact-sm" variant="light" mt="xs" onClick={() => change(narrower)}>
        Show only these
      </Button>
    </Box>
  );
}
