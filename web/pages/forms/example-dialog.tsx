import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { countText } from '../../parts/numbers.ts';
import { type FieldDraft, guessField } from './field-draft.ts';

/** Adds fields from one example of what senders send. */
export function ExampleDialog({ onAdd }: { onAdd: (fields: readonly FieldDraft[]) => void }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [text, setText] = useState('');
  const found = fieldsIn(text);
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Paste example
      </Button>
      <Modal opened={isOpen} onClose={close} title={<Text fw={620}>Fields from an example</Text>} size="lg">
        <Stack gap="sm">
          <Textarea
            label="Example JSON"
            data-autofocus
            autosize
            minRows={8}
            maxRows={18}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            placeholder={'{\n  "name": "Ada Lovelace",\n  "email": "ada@example.com"\n}'}
            error={text.trim() !== '' && found === null ? 'This is not a JSON object.' : undefined}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              disabled={!found?.length}
              onClick={() => {
                onAdd(found ?? []);
                close();
              }}
            >
              {found?.length ? `Add ${countText(found.length, 'field')}` : 'Add fields'}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function fieldsIn(text: string): FieldDraft[] | null {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    return Object.entries(value)
      .filter(([key]) => key !== '')
      .map(([key, example]) => guessField(key, example));
  } catch {
    return null;
  }
}
