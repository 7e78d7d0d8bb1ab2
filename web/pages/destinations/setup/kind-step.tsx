import { Group, Radio, Stack, Text } from '@mantine/core';
import type { Destination } from '../../../../src/contract/destinations/destinations.ts';
import { Icon, type IconName } from '../../../parts/icons.tsx';
import { kindNames } from '../status.tsx';

type Kind = Destination['kind'];

const kinds: Readonly<Record<Kind, { icon: IconName; text: string }>> = {
  webhook: {
    icon: 'webhook',
    text: 'A signed POST request for each lead, to a URL of yours or of an automation tool such as Zapier, Make or n8n. Signed as Standard Webhooks describes, so that published libraries can check it.',
  },
};

export function KindStep({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  return (
    <Radio.Group label="Where leads go" value={kind} onChange={(value) => onChange(value as Kind)}>
      <Stack gap="sm" mt="xs" maw={640}>
        {Object.entries(kinds).map(([value, { icon, text }]) => (
          <Radio.Card key={value} value={value} p="md" aria-label={kindNames[value as Kind]}>
            <Group wrap="nowrap" align="flex-start">
              <Radio.Indicator />
              <div>
                <Group gap={6} mb={2}>
                  <Icon name={icon} />
                  <Text size="sm" fw={580}>
                    {kindNames[value as Kind]}
                  </Text>
                </Group>
                <Text size="sm" c="dimmed">
                  {text}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}
