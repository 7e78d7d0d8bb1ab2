import { Box, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { DryRun } from '../../../src/contract/scoring.ts';
import { TextLink } from '../../parts/links.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { countText, pointsText } from '../../parts/numbers.ts';
import { exactTime } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { VerdictBadge } from '../leads/table/cells.tsx';

type Example = DryRun['examples'][number];

const findingsMax = 4;

interface DryRunExamplesProps {
  readonly examples: readonly Example[];
  /** While they are updated for the latest change of the draft. */
  readonly isBusy: boolean;
}

/** What the draft would do to single leads, and which findings are the reason. */
export function DryRunExamples({ examples, isBusy }: DryRunExamplesProps) {
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="examples-title" aria-busy={isBusy}>
      <Title order={2} size="h5" id="examples-title">
        Leads that your draft changes
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {countText(examples.length, 'example')} of the dry run
        {isBusy ? ', being updated for your latest change.' : ', for the draft as it is now.'} Links open a
        new tab, so that you keep your draft.
      </Text>
      <StackedTable minWidth={720}>
        <Table verticalSpacing="xs" horizontalSpacing="xs" opacity={isBusy ? 0.6 : 1}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Lead</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
              <Table.Th>Findings that moved</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {examples.map((example) => (
              <ExampleRow key={example.submission_id} example={example} />
            ))}
          </Table.Tbody>
        </Table>
      </StackedTable>
    </Box>
  );
}

function ExampleRow({ example }: { example: Example }) {
  const workspaceId = useWorkspaceId();
  const { submission_id, received_at, from, to, moved } = example;
  const more = moved.length - findingsMax;
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink
          to="/w/$workspaceId/leads/$leadId"
          params={{ workspaceId, leadId: submission_id }}
          target="_blank"
          size="sm"
        >
          {exactTime(received_at)}
        </TextLink>
      </Table.Td>
      <Table.Td data-label="Before">
        <ScoreCell scored={from} />
      </Table.Td>
      <Table.Td data-label="After">
        <ScoreCell scored={to} />
      </Table.Td>
      <Table.Td data-label="Moved">
        <Stack gap={4}>
          {moved.length === 0 && <Text size="sm">Only a threshold</Text>}
          {moved.slice(0, findingsMax).map((finding) => (
            <Finding key={`${finding.axis} ${finding.code}`} finding={finding} />
          ))}
          {more > 0 && (
            <Text size="xs" c="dimmed">
              and {more} more
            </Text>
          )}
        </Stack>
      </Table.Td>
    </Table.Tr>
  );
}

function ScoreCell({ scored: { verdict, risk, score } }: { scored: Example['from'] }) {
  return (
    <Stack gap={2} align="flex-start">
      <VerdictBadge verdict={verdict} />
      <Text size="xs" c="dimmed" className="numbers">
        Risk {risk}, score {score}
      </Text>
    </Stack>
  );
}

const shownPoints = (points: number | null) => (points === null ? 'none' : pointsText(points));

function Finding({ finding: { code, text, from, to } }: { finding: Example['moved'][number] }) {
  return (
    <div>
      <Group gap={6} wrap="wrap">
        <Text size="sm" fw={550} className="wrap">
          {code}
        </Text>
        <Text size="sm" className="numbers">
          {shownPoints(from)} → {shownPoints(to)}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" className="wrap">
        {text}
      </Text>
    </div>
  );
}
