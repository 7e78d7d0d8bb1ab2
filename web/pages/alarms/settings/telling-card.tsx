import { Alert, Box, Button, Group, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { Icon } from '../../../parts/icons.tsx';
import { TextLink } from '../../../parts/links.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import type { SettingsDraft } from './settings-draft.ts';

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = [...new Set(['UTC', ownZone, ...Intl.supportedValuesOf('timeZone')])];
const hours = [...Array(24).keys()].map((hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));
/** A list of all zones is too long to be drawn. */
const zonesShown = 60;

interface TellingCardProps extends SettingsDraft {
  readonly areEmailsAvailable: boolean;
}

/** Who is told, and when. */
export function TellingCard({ form, areEmailsAvailable }: TellingCardProps) {
  const workspaceId = useWorkspaceId();
  const { email_owners, time_zone, digest_hour } = form.values;
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="sm">
        Who is told
      </Title>
      <Stack gap="md">
        <div>
          <Switch
            label="Send emails to all owners"
            checked={email_owners}
            onChange={(event) => form.setFieldValue('email_owners', event.currentTarget.checked)}
          />
          {areEmailsAvailable ? (
            <Text size="sm" c="dimmed" mt={6}>
              When an alarm opens, after an hour, after a day, then weekly, and when it is over. No reminders
              after someone acknowledges it.
            </Text>
          ) : (
            <Alert color="yellow" icon={<Icon name="email" />} p="sm" mt="xs">
              This service has no mail server, so no emails are sent. Alarms appear here, and go to
              destinations.
            </Alert>
          )}
          <Text size="sm" c="dimmed" mt={6}>
            To tell a chat or another system too, choose alarm events at a{' '}
            <TextLink to="/w/$workspaceId/destinations" params={{ workspaceId }} size="sm">
              destination
            </TextLink>
            .
          </Text>
        </div>
        <Group align="flex-start" gap="md">
          <Box w={{ base: '100%', xs: 280 }}>
            <Select
              label="Time zone"
              description="For learning when leads usually come."
              searchable
              allowDeselect={false}
              limit={zonesShown}
              data={zones.includes(time_zone) ? zones : [...zones, time_zone]}
              {...form.getInputProps('time_zone')}
            />
            {time_zone !== ownZone && (
              <Button
                size="compact-xs"
                variant="subtle"
                mt={4}
                ml={-8}
                onClick={() => form.setFieldValue('time_zone', ownZone)}
              >
                Use {ownZone}
              </Button>
            )}
          </Box>
          <Select
            label="Daily digest at"
            description="For alarms of low severity."
            allowDeselect={false}
            data={hours}
            w={{ base: '100%', xs: 200 }}
            {...form.getInputProps('digest_hour')}
            value={String(digest_hour)}
            onChange={(value) => form.setFieldValue('digest_hour', Number(value))}
          />
        </Group>
      </Stack>
    </Box>
  );
}
