import { Box, Group, Text, Title } from '@mantine/core';
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { auditQuery } from '../../api/queries.ts';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time.tsx';

export function AuditLog({ workspaceId }: { workspaceId: string }) {
  return <AuditEntries title="Audit log" query={useInfiniteQuery(auditQuery(workspaceId))} />;
}

interface AuditEntriesProps {
  readonly title: string;
  readonly query: UseInfiniteQueryResult<{ pages: { items: AuditEntry[] }[] }>;
}

export function AuditEntries({ title, query }: AuditEntriesProps) {
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {query.isPending && <Loading rows={3} />}
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.data && entries.length === 0 && (
        <Text size="sm" c="dimmed">
          No entries yet.
        </Text>
      )}
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
      <MoreButton label="Show earlier entries" query={query} />
    </Box>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const changes = Object.entries(entry.changes).map(([name, value]) => `${name}: ${valueText(value)}`);
  const from = entry.address === null ? [] : [`from ${entry.address}`];
  const email = entry.actor.kind === 'person' ? [entry.actor.name] : [];
  const facts = [...email, ...from, ...changes];
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" py={8} className="field">
      <Box miw={0}>
        <Text size="sm" className="wrap">
          {entry.text}
          {entry.outcome === 'unknown' ? ' (it is not known whether this succeeded)' : ''}
        </Text>
        {facts.length > 0 && (
          <Text size="xs" c="dimmed" className="wrap">
            {facts.join(' · ').slice(0, 300)}
          </Text>
        )}
      </Box>
      <Text size="xs" c="dimmed" component="div">
        <TimeAgo time={entry.at} size="xs" />
      </Text>
    </Group>
  );
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
