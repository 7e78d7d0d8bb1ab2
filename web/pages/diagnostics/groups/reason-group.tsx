import { Box, Group, Text, UnstyledButton } from '@mantine/core';
import type { RejectionGroups } from '../../../../src/contract/diagnostics/groups.ts';
import { Icon } from '../../../parts/icons.tsx';
import { TextLink } from '../../../parts/links.tsx';
import { numberText } from '../../../parts/numbers.ts';
import { surfaceNames } from '../../../parts/text/surface-name.ts';
import { TimeAgo } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { SeverityMark } from '../severity.tsx';
import { Samples } from './samples.tsx';
import { SparkBars } from './spark-bars.tsx';

type RejectionGroup = RejectionGroups['items'][number];

interface ReasonGroupProps {
  readonly group: RejectionGroup;
  readonly from: string;
  readonly stepSeconds: number;
  /** How many of them are held. */
  readonly held: number;
  readonly names: ReadonlyMap<string, string>;
  readonly isOpen: boolean;
  onToggle(): void;
}

/** What happened in a sentence, how often, since when and when. Opens to the newest requests. */
export function ReasonGroup({ group, from, stepSeconds, held, names, isOpen, onToggle }: ReasonGroupProps) {
  const isLimit = group.category === 'rate_limit';
  const spark = { counts: group.counts, from, stepSeconds, isLimit };
  return (
    <Box className="reason-group" data-open={isOpen || undefined}>
      <UnstyledButton onClick={onToggle} aria-expanded={isOpen} p="md" w="100%">
        <Group justify="space-between" wrap="nowrap" align="flex-start" gap="md">
          <Box miw={0}>
            <Text size="sm" fw={580}>
              {group.text}
            </Text>
            {group.surface !== null && (
              <Text size="sm" c="dimmed" className="wrap">
                {senderText(group, names)}
              </Text>
            )}
            <Group gap="xs" mt={4}>
              <SeverityMark severity={group.severity} />
              <Text size="xs" c="dimmed" ff="monospace">
                {group.reason}
              </Text>
              <Text size="xs" c="dimmed" component="span">
                first <TimeAgo time={group.first_at} size="xs" />, last{' '}
                <TimeAgo time={group.last_at} size="xs" />
              </Text>
            </Group>
          </Box>
          <Group gap="sm" wrap="nowrap" align="center">
            <Box visibleFrom="sm">
              <SparkBars {...spark} />
            </Box>
            <Group gap={6} wrap="nowrap" c={isLimit ? 'var(--limited-text)' : 'var(--rejected-text)'}>
              <Icon name={isLimit ? 'gauge' : 'ban'} size={15} />
              <Text fw={650} className="numbers">
                {numberText(group.count)}
              </Text>
            </Group>
            <Icon name={isOpen ? 'down' : 'right'} size={14} />
          </Group>
        </Group>
      </UnstyledButton>
      {held > 0 && <HeldLink group={group} held={held} />}
      {isOpen && <Samples group={group} />}
    </Box>
  );
}

/** "webhook · Contact", "token · Contact · Backend" */
function senderText(
  { surface, form_id, token_id }: RejectionGroup,
  names: ReadonlyMap<string, string>,
): string {
  const ids = [form_id, token_id].filter((id) => id !== null);
  const surfaceText = surface === null ? [] : [surfaceNames[surface]];
  return [...surfaceText, ...ids.map((id) => names.get(id) ?? id)].join(' · ');
}

/** Beside the button, which contains no link. */
function HeldLink({ group, held }: { group: RejectionGroup; held: number }) {
  const workspaceId = useWorkspaceId();
  const { form_id } = useDiagnosticsSearch().search;
  return (
    <Box px="md" pb="sm" mt={-8}>
      <TextLink
        to="/w/$workspaceId/tokens/diagnostics/held"
        params={{ workspaceId }}
        search={{ reason: group.reason, form_id }}
        size="sm"
        className="numbers"
      >
        {numberText(held)} of {numberText(group.count)} held
      </TextLink>
    </Box>
  );
}
