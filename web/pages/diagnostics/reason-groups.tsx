import { Anchor, Box, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { rangeLabel } from '../../parts/charts/time-range.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { numberText } from '../../parts/numbers.ts';
import { Empty } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useDiagnosticsSearch } from './diagnostics-address.ts';

type Reason = Diagnostics['by_reason'][number];

/** Rejections by reason, most frequent first: what happened in a sentence, and how to fix it. */
export function ReasonGroups({ reasons, tab }: { reasons: readonly Reason[]; tab: 'rejected' | 'limited' }) {
  const { search, filters, change, clear, isFiltered } = useDiagnosticsSearch();
  if (reasons.length === 0) {
    const what = tab === 'limited' ? 'No rate limit was reached' : 'Nothing was rejected';
    return (
      <Empty
        icon="check"
        title={`${what} in ${rangeLabel(filters)}`}
        text={
          isFiltered ? (
            <>
              Nothing matches these filters.{' '}
              <Anchor component="button" size="sm" onClick={clear}>
                Clear filters
              </Anchor>{' '}
              or{' '}
              <Anchor
                component="button"
                size="sm"
                onClick={() => change({ range: '30d', from: undefined, to: undefined })}
              >
                show the last 30 days
              </Anchor>
              .
            </>
          ) : (
            'Rejections appear here within five seconds, with their reasons and how to fix them.'
          )
        }
      />
    );
  }
  return (
    <Stack gap={0} className="panel" mb="lg" style={{ overflow: 'hidden' }}>
      {reasons.map((row) => (
        <ReasonRow
          key={row.reason}
          row={row}
          isChosen={search.reason === row.reason}
          onChoose={() => change({ reason: search.reason === row.reason ? undefined : row.reason })}
        />
      ))}
    </Stack>
  );
}

function ReasonRow({ row, isChosen, onChoose }: { row: Reason; isChosen: boolean; onChoose: () => void }) {
  const isLimit = row.category === 'rate_limit';
  return (
    <Box className="reason" data-chosen={isChosen || undefined}>
      <UnstyledButton onClick={onChoose} aria-pressed={isChosen} p="md" w="100%">
        <Group justify="space-between" wrap="nowrap" align="flex-start" gap="md">
          <Box miw={0}>
            <Text size="sm" fw={580}>
              {row.text}
            </Text>
            <Text size="sm" c="dimmed">
              {row.fix}
            </Text>
            <Group gap="xs" mt={4}>
              <Text size="xs" c="dimmed" ff="monospace">
                {row.reason}
              </Text>
              <Text size="xs" c="dimmed" component="span">
                last <TimeAgo time={row.last_at} size="xs" />
              </Text>
              {isChosen && <Tag tone="accent">Filtered</Tag>}
            </Group>
          </Box>
          <Group gap={6} wrap="nowrap" c={isLimit ? 'var(--limited-text)' : 'var(--rejected-text)'}>
            <Icon name={isLimit ? 'gauge' : 'ban'} size={15} />
            <Text fw={650} className="numbers">
              {numberText(row.count)}
            </Text>
          </Group>
        </Group>
      </UnstyledButton>
      {row.held > 0 && <HeldLink row={row} />}
    </Box>
  );
}

/** Beside the button, which contains no link. */
function HeldLink({ row }: { row: Reason }) {
  const workspaceId = useWorkspaceId();
  const { form_id } = useDiagnosticsSearch().search;
  return (
    <Box px="md" pb="sm" mt={-8}>
      <TextLink
        to="/w/$workspaceId/tokens/diagnostics/held"
        params={{ workspaceId }}
        search={{ reason: row.reason, form_id }}
        size="sm"
        className="numbers"
      >
        {numberText(row.held)} of {numberText(row.count)} held
      </TextLink>
    </Box>
  );
}
