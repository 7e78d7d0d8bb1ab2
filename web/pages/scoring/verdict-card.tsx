import { Box, Group, RangeSlider, Select, Stack, Text, Title } from '@mantine/core';
import { useIsOwner } from '../../shell/workspace.ts';
import type { SettingsDraft } from './settings-draft.ts';

const presets = [
  { value: 'b2b', label: 'Companies (B2B)' },
  { value: 'b2c', label: 'Consumers (B2C)' },
  { value: 'event', label: 'Event guests' },
  { value: 'support', label: 'Support requests' },
];

export function VerdictCard({ form }: SettingsDraft) {
  const isOwner = useIsOwner();
  const { suspect, spam } = form.values.thresholds;
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="sm">
        Verdict
      </Title>
      <Stack gap="md">
        <Select
          label="Who fills in this form"
          description="This decides what a good lead looks like."
          data={presets}
          disabled={!isOwner}
          allowDeselect={false}
          maw={340}
          {...form.getInputProps('preset')}
        />
        <div>
          <Text size="sm" fw={500} mb="xs">
            Risk from which a lead is suspect or spam
          </Text>
          <RangeSlider
            min={1}
            max={100}
            minRange={1}
            value={[suspect, spam]}
            disabled={!isOwner}
            onChange={([low, high]) => form.setFieldValue('thresholds', { suspect: low, spam: high })}
            thumbFromLabel="Suspect from"
            thumbToLabel="Spam from"
            color="orange"
          />
          <Group justify="space-between" mt="sm">
            <Text size="xs" c="var(--accepted-text)">
              Clean below {suspect}
            </Text>
            <Text size="xs" c="var(--limited-text)">
              Suspect {suspect} to {spam - 1}
            </Text>
            <Text size="xs" c="var(--rejected-text)">
              Spam from {spam}
            </Text>
          </Group>
        </div>
      </Stack>
    </Box>
  );
}
