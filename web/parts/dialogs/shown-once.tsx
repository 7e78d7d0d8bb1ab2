import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CopyText } from '../copy.tsx';
import { Icon } from '../icons.tsx';

interface ShownOnceProps {
  readonly opened: boolean;
  readonly title: string;
  readonly value: string;
  /** As in the middle of a sentence: "token". */
  readonly name: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
  onClose(): void;
}

/** A secret that is shown once. It is hard to lose by accident: closing the dialog and leaving the page both ask first. */
export function ShownOnce({ opened, title, value, name, actions, children, onClose }: ShownOnceProps) {
  const [isAsking, setAsking] = useState(false);
  useBlocker({
    shouldBlockFn: () => !window.confirm(`The ${name} cannot be shown again. Leave anyway?`),
    enableBeforeUnload: true,
    disabled: !opened,
  });
  const close = () => {
    setAsking(false);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={() => setAsking(true)}
      closeOnClickOutside={false}
      title={<Text fw={620}>{title}</Text>}
      size="lg"
    >
      <Stack gap="md">
        <Alert color="yellow" icon={<Icon name="alert" />} p="sm">
          Copy it now. It is shown only once.
        </Alert>
        <PasswordInput
          label={name.charAt(0).toUpperCase() + name.slice(1)}
          value={value}
          readOnly
          data-autofocus
          onFocus={(event) => event.currentTarget.select()}
          styles={{ innerInput: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          visibilityToggleButtonProps={{ 'aria-label': `Show the ${name}` }}
        />
        <Group gap="xs">
          <CopyText value={value}>Copy</CopyText>
          {actions}
        </Group>
        {children && (
          <Text size="sm" c="dimmed" component="div">
            {children}
          </Text>
        )}
        {isAsking ? (
          <Alert color="red" title="You cannot see it again">
            <Group gap="xs" mt="xs">
              <Button size="xs" variant="default" onClick={() => setAsking(false)} autoFocus>
                Go back
              </Button>
              <Button size="xs" color="red" onClick={close}>
                Close anyway
              </Button>
            </Group>
          </Alert>
        ) : (
          <Group justify="flex-end">
            <Button onClick={close}>I have saved it</Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
