import { Box, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormRhythm } from '../../../../src/contract/alarms/watching.ts';
import { rhythmQuery } from '../../../api/alarm-queries.ts';
import { TextLink } from '../../../parts/links.tsx';
import { countText } from '../../../parts/numbers.ts';
import { Loaded } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { silenceText } from './silence-text.ts';
import { WeekStrip } from './week-strip.tsx';

/** When a silence of the form would be noticed, and the week that this is known from. */
export function RhythmCard({ formId }: { formId: string }) {
  const workspaceId = useWorkspaceId();
  const query = useQuery(rhythmQuery(workspaceId, formId));
  return (
    <Box className="panel" p="md">
      <Title order={2} size="h5" mb={6}>
        If no leads come
      </Title>
      <Loaded query={query} rows={1}>
        {(rhythm) => <Rhythm rhythm={rhythm} />}
      </Loaded>
      <Text size="sm" mt={6}>
        <TextLink to="/w/$workspaceId/alarms/settings" params={{ workspaceId }} size="sm">
          Alarm settings
        </TextLink>
      </Text>
    </Box>
  );
}

function Rhythm({ rhythm }: { rhythm: FormRhythm }) {
  const { expected, leads_per_week, weeks, time_zone } = rhythm;
  return (
    <Stack gap={8}>
      <Text size="sm">{silenceText(rhythm)}</Text>
      {expected !== null && (
        <>
          <WeekStrip expected={expected} />
          <Text size="xs" c="dimmed" className="numbers">
            About {countText(Math.round(leads_per_week), 'lead')} a week, learnt from{' '}
            {countText(Math.max(1, Math.round(weeks)), 'week')}. Hours of {time_zone}.
          </Text>
        </>
      )}
    </Stack>
  );
}
