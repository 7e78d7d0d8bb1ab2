import { Box, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Health } from '../../../../src/contract/operator/health.ts';
import { healthQuery } from '../../../api/operator-queries.ts';
import { countText } from '../../../parts/numbers.ts';
import { Settled } from '../../../parts/settled.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { exactTime } from '../../../parts/time.tsx';
import { InstanceAlarms } from './instance-alarms.tsx';
import { RecentCard } from './recent-card.tsx';
import { Statement } from './statement.tsx';
import { Unattributed } from './unattributed.tsx';

/** How the instance is that responded: the service decides what is a warning, this page only shows it. */
export function HealthTab() {
  const query = useQuery(healthQuery);
  return (
    <Settled>
      <Stack gap="lg">
        <InstanceAlarms />
        <Box className="panel" p="lg">
          <Loaded query={query} rows={6}>
            {(health) => <Statements health={health} at={query.dataUpdatedAt} />}
          </Loaded>
        </Box>
        <RecentCard />
        <Unattributed />
      </Stack>
    </Settled>
  );
}

function Statements({ health, at }: { health: Health; at: number }) {
  const { statements, instance } = health;
  return (
    <>
      <Title order={2} size="h5">
        {verdictOf(health)}
      </Title>
      <Text size="sm" c="dimmed" mb="sm" className="wrap">
        {instance.host}, {processesOf(health)}, role {instance.role}. As of {exactTime(at)}; updates every 5
        seconds.
      </Text>
      <Box component="ul" m={0} p={0} className="statements">
        {statements.map((statement) => (
          <Statement key={statement.id} statement={statement} />
        ))}
      </Box>
    </>
  );
}

/** With several workers, the numbers are those of all. */
function processesOf({ workers, instance }: Health): string {
  return workers === null ? `process ${instance.process_id}` : countText(workers.configured, 'worker');
}

function verdictOf({ statements }: Health): string {
  const count = (state: string) => statements.filter((statement) => statement.state === state).length;
  const parts = [
    { count: count('problem'), noun: 'problem' },
    { count: count('warning'), noun: 'warning' },
  ].filter((part) => part.count > 0);
  if (parts.length === 0) return 'Everything works';
  return parts.map((part) => countText(part.count, part.noun)).join(' and ');
}
