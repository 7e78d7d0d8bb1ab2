import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Failure } from '../states.tsx';

interface ConfirmProps {
  readonly opened: boolean;
  readonly title: string;
  readonly action: string;
  /** What will happen, in full. */
  readonly children: ReactNode;
  /** Must be typed to confirm what cannot be undone. */
  readonly typed?: string;
  /** False until there is something to decide on. */
  readonly isReady?: boolean;
  /** Nothing is lost, so the button is not red. */
  readonly isHarmless?: boolean;
  /** Explains an error better than its message does. */
  readonly failure?: (error: Error) => ReactNode;
  readonly mutation: { readonly isPending: boolean; readonly error: Error | null; mutate(): void };
  onClose(): void;
}

export function Confirm(props: ConfirmProps) {
  const { opened, title, action, children, typed, isReady = true, isHarmless, mutation, onClose } = props;
  const failure = props.failure ?? ((error) => <Failure error={error} />);
  const [text, setText] = useState('');
  const isSure = isReady && (typed === undefined || text.trim() === typed.trim());
  const close = () => {
    setText('');
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>{title}</Text>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure && !mutation.isPending) mutation.mutate();
        }}
      >
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={
                <>
                  Type <b className="wrap">{typed}</b> to confirm
                </>
              }
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              data-autofocus
              autoComplete="off"
            />
          )}
          {mutation.error && failure(mutation.error)}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              // The plain red is too light for white text.
              {...(isHarmless ? {} : { color: 'red.9' })}
              type="submit"
              disabled={!isSure}
              loading={mutation.isPending}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
