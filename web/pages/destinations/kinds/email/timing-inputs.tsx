import { Group, Radio, Select, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { emailsPerHourMax } from '../../../../../src/contract/destinations/terms.ts';
import type { DestinationDraft } from '../../draft/draft.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));
/** The stored one may be a name that this browser does not list, such as UTC. */
const zonesWith = (zone: string) => [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])];

/** When emails are sent. */
export function TimingInputs({ form }: { form: UseFormReturnType<DestinationDraft> }) {
  const { every, hour, time_zone } = form.values;
  return (
    <Radio.Group label="How often" {...form.getInputProps('every')}>
      <Stack gap="xs" mt="xs">
        <Radio
          value="lead"
          label="An email for each lead"
          description={`Above ${emailsPerHourMax} leads an hour, the others are collected until the next full hour.`}
        />
        <Radio
          value="hour"
          label="One email an hour"
          description="With all leads of the hour. None if there were no leads."
        />
        <Radio
          value="day"
          label="One email a day"
          description="With all leads since the last one. None if there were no leads."
        />
        {every === 'day' && (
          <Group gap="xs" ml={30} align="flex-start">
            <Select
              aria-label="Hour of the daily email"
              w={100}
              data={hours}
              allowDeselect={false}
              {...form.getInputProps('hour')}
              value={String(hour)}
              onChange={(value) => form.setFieldValue('hour', Number(value))}
            />
            <Select
              aria-label="Time zone of the daily email"
              flex="1 1 180px"
              maw={280}
              data={zonesWith(time_zone)}
              limit={50}
              searchable
              allowDeselect={false}
              {...form.getInputProps('time_zone')}
              value={time_zone}
            />
          </Group>
        )}
      </Stack>
    </Radio.Group>
  );
}
