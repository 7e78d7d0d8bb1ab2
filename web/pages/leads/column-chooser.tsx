import { ActionIcon, Button, Checkbox, Group, Popover, ScrollArea, Stack, Text } from '@mantine/core';
import { Icon } from '../../parts/icons.tsx';
import type { LeadColumns } from './use-columns.ts';

export function ColumnChooser({ columns }: { columns: LeadColumns }) {
  return (
    <Popover width={320} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<Icon name="columns" size={15} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Group justify="space-between" mb="xs">
          <Text size="sm" fw={580}>
            Columns
          </Text>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={columns.reset}>
            Reset
          </Button>
        </Group>
        {columns.columns.length === 0 && (
          <Text size="sm" c="dimmed">
            No lead has a field yet.
          </Text>
        )}
        <ScrollArea.Autosize mah={360} type="auto">
          <Stack gap={2}>
            {columns.columns.map(({ key, label, isShown, isDeclared }, i) => (
              <Group key={key} justify="space-between" wrap="nowrap" gap="xs">
                <Checkbox
                  size="xs"
                  label={label}
                  description={isDeclared ? undefined : 'not declared'}
                  checked={isShown}
                  onChange={(event) => columns.toggle(key, event.currentTarget.checked)}
                  styles={{ label: { overflowWrap: 'anywhere' } }}
                />
                <Group gap={0} wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={24}
                    disabled={i === 0}
                    onClick={() => columns.move(key, -1)}
                    aria-label={`Move ${label} left`}
                  >
                    <Icon name="up" size={13} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={24}
                    disabled={i === columns.columns.length - 1}
                    onClick={() => columns.move(key, 1)}
                    aria-label={`Move ${label} right`}
                  >
                    <Icon name="down" size={13} />
                  </ActionIcon>
                </Group>
              </Group>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
