import { Alert, Box, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnswerOf, Calls } from '../../../src/contract/calls.ts';
import type { Token } from '../../../src/contract/tokens.ts';
import { diagnosticsQuery, tokensQuery } from '../../api/queries.ts';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Loaded } from '../../parts/states.tsx';
import { rejectionName } from '../../parts/text/rejection-name.ts';
import { TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { creatorName } from './creator.ts';
import { HealthTag } from './health.tsx';
import { OpenLinks } from './open-links.tsx';
import { RotateToken } from './rotate-token.tsx';
import { tokenQuery } from './token-query.ts';
import { Expiry, LastUse, TokenActions, TokenForm } from './token-row.tsx';
import { outcomeLines, TrafficSpark } from './traffic-spark.tsx';

type TokenDetail = AnswerOf<Calls['GET'], '/workspaces/:workspace_id/tokens/:token_id'>;

const entriesShown = 10;

/** One token: its facts, where it is used from, what it did in a day, and its log. */
export function TokenPage() {
  const workspaceId = useWorkspaceId();
  const id = useParams({ from: '/signed-in/w/$workspaceId/tokens/$tokenId' }).tokenId;
  const queryClient = useQueryClient();
  const query = useQuery(tokenQuery(workspaceId, id));
  const [rotating, setRotating] = useState<Token | null>(null);
  return (
    <>
      <Loaded query={query} rows={6}>
        {(token) => <Page token={token} onRotate={setRotating} />}
      </Loaded>
      {/* Outside of what is fetched again: a new token must not vanish before it is copied. */}
      <RotateToken
        token={rotating}
        onClose={() => {
          setRotating(null);
          void queryClient.invalidateQueries({ queryKey: tokensQuery(workspaceId).queryKey });
        }}
      />
    </>
  );
}

function Page({ token, onRotate }: { token: TokenDetail; onRotate: (token: Token) => void }) {
  const workspaceId = useWorkspaceId();
  return (
    <>
      <PageHeader
        title={token.name}
        text={
          <Group gap="xs" mt={4}>
            <HealthTag token={token} />
            <Text size="sm" ff="monospace">
              {token.hint}
            </Text>
          </Group>
        }
        above={
          <TextLink to="/w/$workspaceId/tokens" params={{ workspaceId }} size="sm" c="dimmed">
            Ingest tokens
          </TextLink>
        }
      >
        <TokenActions token={token} onRotate={onRotate} />
      </PageHeader>
      <Stack gap="lg">
        {token.health !== 'healthy' && (
          <Alert color={token.health === 'elevated_rejections' ? 'red' : 'yellow'} role="status">
            {token.advice}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Facts token={token} />
          {token.addresses !== null && <Addresses addresses={token.addresses} />}
        </SimpleGrid>
        <Traffic token={token} />
        <Log token={token} />
      </Stack>
    </>
  );
}

function Facts({ token }: { token: Token }) {
  return (
    <Card title="Token">
      <dl className="facts">
        <dt>Form</dt>
        <dd>
          <TokenForm token={token} />
        </dd>
        <dt>Created by</dt>
        <dd className="wrap" dir="auto">
          {creatorName(token.created_by)}
        </dd>
        <dt>Created</dt>
        <dd>
          <TimeAgo time={token.created_at} />
        </dd>
        <dt>Expires</dt>
        <dd>
          <Expiry token={token} />
        </dd>
        <dt>Last used</dt>
        <dd>
          <LastUse token={token} />
        </dd>
        {token.revoked_at !== null && (
          <>
            <dt>Revoked</dt>
            <dd>
              <TimeAgo time={token.revoked_at} />
            </dd>
          </>
        )}
        <Relative label="Replaced by" id={token.replaced_by} />
        <Relative label="Replaces" id={token.replaces} />
      </dl>
      <OpenLinks token={token} />
    </Card>
  );
}

/** The other token of a rotation. */
function Relative({ label, id }: { label: string; id: string | null }) {
  const workspaceId = useWorkspaceId();
  const hint = useQuery(tokensQuery(workspaceId)).data?.items.find((token) => token.id === id)?.hint;
  if (id === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <TextLink to="/w/$workspaceId/tokens/$tokenId" params={{ workspaceId, tokenId: id }} size="sm">
          {hint ?? 'another token'}
        </TextLink>
      </dd>
    </>
  );
}

function Addresses({ addresses }: { addresses: NonNullable<TokenDetail['addresses']> }) {
  return (
    <Card title="Used from">
      {addresses.length === 0 ? (
        <Text size="sm" c="dimmed">
          No address in the last 30 days.
        </Text>
      ) : (
        <dl className="facts">
          {addresses.map(({ address, last_at }) => (
            <Box key={address} display="contents">
              <dt>
                <code>{address}</code>
              </dt>
              <dd>
                <TimeAgo time={last_at} />
              </dd>
            </Box>
          ))}
        </dl>
      )}
    </Card>
  );
}

function Traffic({ token }: { token: Token }) {
  const lines = token.traffic === null ? [] : outcomeLines(token.traffic);
  return (
    <Card title="Last 24 hours">
      <TrafficSpark token={token} isWide />
      {lines.length > 0 && (
        <Text size="sm" mt="xs" className="numbers wrap">
          {lines.join(' · ')}
        </Text>
      )}
    </Card>
  );
}

/** The newest rejections. All of them, and what was accepted, are in the diagnostics. */
function Log({ token }: { token: Token }) {
  const workspaceId = useWorkspaceId();
  const query = useQuery(diagnosticsQuery(workspaceId, { token_id: token.id, limit: entriesShown }));
  const filters = { token_id: token.id, range: '24h' } as const;
  return (
    <Card
      title="Log"
      action={
        <ButtonLink
          to="/w/$workspaceId/tokens/diagnostics"
          params={{ workspaceId }}
          search={filters}
          size="xs"
          variant="default"
        >
          Open in diagnostics
        </ButtonLink>
      }
    >
      <Loaded query={query} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              No request with this token was rejected in the last 24 hours.
            </Text>
          ) : (
            <StackedTable minWidth={480}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Rejected</Table.Th>
                    <Table.Th>Reason</Table.Th>
                    <Table.Th>Request</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {items.map((entry) => (
                    <Table.Tr key={entry.id}>
                      <Table.Td>
                        <TimeAgo time={entry.at} />
                      </Table.Td>
                      <Table.Td>{rejectionName(entry.reason)}</Table.Td>
                      <Table.Td data-label="Request">
                        <TextLink
                          to="/w/$workspaceId/tokens/diagnostics"
                          params={{ workspaceId }}
                          search={{ ...filters, request_id: entry.request_id }}
                          size="xs"
                          ff="monospace"
                          className="wrap"
                        >
                          {entry.request_id}
                        </TextLink>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </StackedTable>
          )
        }
      </Loaded>
    </Card>
  );
}

function Card(props: { title: string; action?: React.ReactNode; children: React.ReactNode }) {
  return (
    <Box className="panel" p="md" component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {props.title}
        </Title>
        {props.action}
      </Group>
      {props.children}
    </Box>
  );
}
