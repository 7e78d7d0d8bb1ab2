import { Alert, Button, FileButton, Group, List, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMemo, useState } from 'react';
import {
  fieldsOfSchema,
  type SchemaFields,
  schemaCharactersMax,
} from '../../../../src/contract/forms/field-schema.ts';
import { Icon } from '../../../parts/icons.tsx';
import { countText } from '../../../parts/numbers.ts';
import { draftOf, type FieldDraft } from '../field-draft.ts';

const lossesShownMax = 12;
/** More than any character takes in UTF-8. */
const fileBytesMax = 4 * schemaCharactersMax;

interface SchemaDialogProps {
  readonly opened: boolean;
  onClose(): void;
  onImport(fields: readonly FieldDraft[]): void;
}

/** Replaces the fields in the editor by those of a schema. Nothing is saved yet. */
export function SchemaDialog({ opened, onClose, onImport }: SchemaDialogProps) {
  const [text, setText] = useState('');
  const found = useMemo(() => read(text), [text]);
  const fields = found.schema?.fields ?? [];
  const close = () => {
    onClose();
    setText('');
  };
  const open = async (file: File | null) => {
    if (file === null) return;
    setText(file.size > fileBytesMax ? ' '.repeat(schemaCharactersMax + 1) : await file.text());
  };
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>Fields from a JSON Schema</Text>} size="lg">
      <Stack gap="sm">
        <Textarea
          label="JSON Schema"
          description="The properties become fields, their titles labels. They replace the fields in the editor; you save them there."
          data-autofocus
          autosize
          minRows={8}
          maxRows={16}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          placeholder={
            '{\n  "type": "object",\n  "properties": {\n    "email": { "type": "string", "format": "email" }\n  }\n}'
          }
          error={found.problem}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        />
        {found.schema !== undefined && found.schema.losses.length > 0 && (
          <Losses losses={found.schema.losses} />
        )}
        <Group justify="space-between" gap="xs">
          <FileButton
            accept=".json,application/json,application/schema+json"
            onChange={(file) => void open(file)}
          >
            {(props) => (
              <Button {...props} variant="default">
                Choose file
              </Button>
            )}
          </FileButton>
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              disabled={fields.length === 0}
              onClick={() => {
                onImport(fields.map(draftOf));
                close();
              }}
            >
              {fields.length === 0 ? 'Use fields' : `Use ${countText(fields.length, 'field')}`}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

function Losses({ losses }: { losses: SchemaFields['losses'] }) {
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title="Not imported" p="sm">
      <List size="sm">
        {losses.slice(0, lossesShownMax).map(({ key, keyword }) => (
          <List.Item key={`${key} ${keyword}`} className="wrap">
            <code>{keyword}</code> {key === null ? 'of the schema' : `of ${key}`}
          </List.Item>
        ))}
        {losses.length > lossesShownMax && <List.Item>and {losses.length - lossesShownMax} more</List.Item>}
      </List>
    </Alert>
  );
}

function read(text: string): { schema?: SchemaFields; problem?: string } {
  if (text === '') return {};
  try {
    const schema = fieldsOfSchema(text);
    return schema.fields.length === 0 ? { problem: 'The schema has no properties.' } : { schema };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
