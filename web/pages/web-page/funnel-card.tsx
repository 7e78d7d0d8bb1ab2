import { Alert, Box, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { rejectionTexts } from '../../../src/contract/held/terms.ts';
import { browserActivityQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { numberText } from '../../parts/numbers.ts';
import { Loaded } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { hintOf, type OriginActivity, type Refusal, refusalsOf } from './funnel-hints.ts';

const steps = {
  challenged: 'Challenged',
  minted: 'Got a token',
  used: 'Sent a lead',
  accepted: 'Accepted',
} as const;
type Step = keyof typeof steps;
const stepNames = Object.keys(steps) as Step[];
const notListed = 'Not in your list';

/** From the first request of a page to its lead, per origin: tells a page that is broken from an attack. */
export function FunnelCard() {
  const query = useQuery(browserActivityQuery(useWorkspaceId(), useFormId()));
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="funnel-title">
      <Title order={2} size="h5" id="funnel-title">
        From page to lead
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        The last 24 hours, per origin.
      </Text>
      <Loaded query={query} rows={3}>
        {({ origins }) =>
          origins.length === 0 ? (
            <Text size="sm">No page has asked for a challenge in this time.</Text>
          ) : (
            <Stack gap="md">
              <Funnel origins={origins} />
              <Hints origins={origins} />
              <Refusals refusals={refusalsOf(origins)} />
            </Stack>
          )
        }
      </Loaded>
    </Box>
  );
}

function Funnel({ origins }: { origins: readonly OriginActivity[] }) {
  return (
    <StackedTable minWidth={500}>
      <Table horizontalSpacing="xs" aria-label="Requests per origin">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Origin</Table.Th>
            {stepNames.map((step) => (
              <Table.Th key={step}>{steps[step]}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {origins.map((row) => (
            <OriginRow key={row.origin} row={row} />
          ))}
        </Table.Tbody>
      </Table>
    </StackedTable>
  );
}

function OriginRow({ row }: { row: OriginActivity }) {
  const most = Math.max(...stepNames.map((step) => row[step]));
  const isListed = row.origin !== '';
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" className="wrap" {...(isListed ? { ff: 'monospace' } : { fs: 'italic' })}>
          {isListed ? row.origin : notListed}
        </Text>
        {row.last_at !== null && (
          <Text size="xs" c="dimmed" component="div">
            last <TimeAgo time={row.last_at} size="xs" />
          </Text>
        )}
      </Table.Td>
      {most === 0 ? (
        <Table.Td colSpan={stepNames.length}>
          <Text size="sm" c="dimmed" className="numbers">
            {numberText(Object.values(row.refused).reduce((sum, count) => sum + count, 0))} refused
          </Text>
        </Table.Td>
      ) : (
        stepNames.map((step) => (
          <Table.Td key={step} className="funnel-step" data-label={steps[step]} w={86}>
            <span className="numbers">{numberText(row[step])}</span>
            <span className="funnel-bar" aria-hidden>
              <span style={{ width: `${(100 * row[step]) / most}%` }} />
            </span>
          </Table.Td>
        ))
      )}
    </Table.Tr>
  );
}

function Hints({ origins }: { origins: readonly OriginActivity[] }) {
  const hints = origins.flatMap((row) => {
    const hint = row.origin === '' ? null : hintOf(row);
    return hint === null ? [] : [{ origin: row.origin, hint }];
  });
  return hints.map(({ origin, hint }) => (
    <Alert
      key={origin}
      color="yellow"
      icon={<Icon name="alert" />}
      title={<span className="wrap">{origin}</span>}
    >
      {hint}
    </Alert>
  ));
}

/** Refused requests are not leads: no page got a token, so nothing was lost that could be admitted. */
function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const workspaceId = useWorkspaceId();
  const formId = useFormId();
  const isOwner = useIsOwner();
  if (refusals.length === 0) return null;
  return (
    <div>
      <Title order={3} size="h6" mb={4}>
        Refused requests
      </Title>
      {refusals.map((refusal) => (
        <RefusalRow key={refusal.reason} refusal={refusal} />
      ))}
      {isOwner && (
        <Text size="sm" c="dimmed" mt="xs">
          These pages asked for a token. Leads that were rejected are in{' '}
          <TextLink
            to="/w/$workspaceId/tokens/diagnostics"
            params={{ workspaceId }}
            search={{ form_id: formId, surface: 'browser' }}
            size="sm"
          >
            diagnostics
          </TextLink>
          .
        </Text>
      )}
    </div>
  );
}

function RefusalRow({ refusal: { reason, count, origins } }: { refusal: Refusal }) {
  // A later version of the service may know more reasons.
  const texts: Readonly<Record<string, { readonly text: string; readonly fix: string }>> = rejectionTexts;
  const known = texts[reason];
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" py={6} className="field">
      <Box miw={0}>
        <Text size="sm">{known?.text ?? reason}</Text>
        {known !== undefined && (
          <Text size="sm" c="dimmed">
            {known.fix}
          </Text>
        )}
        <Text size="xs" c="dimmed" className="wrap">
          {reason} · {origins.map((origin) => (origin === '' ? notListed.toLowerCase() : origin)).join(', ')}
        </Text>
      </Box>
      <Text fw={620} className="numbers">
        {numberText(count)}
      </Text>
    </Group>
  );
}
