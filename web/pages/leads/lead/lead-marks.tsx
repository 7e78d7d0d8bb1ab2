import { Box, Group, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { leadMarksQuery } from '../../../api/queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { MoreButton } from '../../../parts/lists/more-button.tsx';
import { Failure, Loading } from '../../../parts/states.tsx';
import { exactTime } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { markText } from './lead-history.tsx';

/** Who marked the lead, when and as what, newest first. */
export function LeadMarks({ lead }: { lead: Lead }) {
  const query = useInfiniteQuery(leadMarksQuery(useWorkspaceId(), lead.submission_id));
  const marks = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Box component="section" aria-labelledby="score-marks">
      <Title order={4} size="h6" id="score-marks" mb={4}>
        Marks
      </Title>
      {query.isPending && <Loading rows={1} />}
      {query.error && !query.data && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.data && marks.length === 0 && (
        <Text size="sm" c="dimmed">
          Nobody has marked this lead. A mark replaces the verdict; the score stays.
        </Text>
      )}
      {marks.length > 0 && (
        <Box component="ol" m={0} p={0} className="history" aria-label="Marks">
          {marks.map(({ mark, at, by }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a mark has no id, and two can be equal.
            <Group key={i} component="li" wrap="nowrap" align="flex-start" gap="sm" py={6}>
              <Box className="history-icon">
                <Icon name={mark === null ? 'close' : mark === 'spam' ? 'ban' : 'check'} size={13} />
              </Box>
              <Box miw={0}>
                <Text size="sm" className="wrap">
                  {by} {markText(mark)}
                </Text>
                <Text size="xs" c="dimmed" component="time" dateTime={at}>
                  {exactTime(at)}
                </Text>
              </Box>
            </Group>
          ))}
        </Box>
      )}
      <MoreButton label="Show older marks" query={query} />
    </Box>
  );
}
