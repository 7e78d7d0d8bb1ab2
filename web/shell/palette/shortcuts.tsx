import { Group, Kbd, Modal, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { areShortcutsOn, registeredKeys, setShortcutsOn } from '../../parts/keys/use-keys.ts';
import { paletteKeys } from './palette-keys.ts';

const names: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

/** The keys of the page that is shown, and the switch for them. */
export function Shortcuts({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="md">
      <Content />
    </Modal>
  );
}

function Content() {
  const [areOn, setOn] = useState(areShortcutsOn);
  const turn = (isOn: boolean) => {
    setShortcutsOn(isOn);
    setOn(isOn);
  };
  return (
    <Stack gap="md">
      <Stack gap={6} component="dl" m={0}>
        <Shortcut keys={paletteKeys} label="Search and commands" />
        {registeredKeys().map(({ key, label }) => (
          <Shortcut key={key} keys={[nameOf(key)]} label={label} isOff={!areOn} />
        ))}
      </Stack>
      <Switch
        label="Single-key shortcuts"
        description="Turn them off if you dictate text, or press keys by accident. This applies to this browser."
        checked={areOn}
        onChange={({ currentTarget }) => turn(currentTarget.checked)}
      />
    </Stack>
  );
}

interface ShortcutProps {
  readonly keys: readonly string[];
  readonly label: string;
  readonly isOff?: boolean;
}

function Shortcut({ keys, label, isOff = false }: ShortcutProps) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text component="dt" size="sm" {...(isOff && { c: 'dimmed', td: 'line-through' })}>
        {label}
      </Text>
      <Group component="dd" gap={4} m={0} wrap="nowrap">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </Group>
    </Group>
  );
}

function nameOf(key: string): string {
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
