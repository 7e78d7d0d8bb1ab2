import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { schemaOfFields } from '../../../../src/contract/forms/field-schema.ts';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { fileAddress } from '../../../api/client.ts';
import { CopyText } from '../../../parts/copy.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { useIsOwner } from '../../../shell/workspace.ts';
import type { FieldDraft } from '../field-draft.ts';
import { SchemaDialog } from './schema-dialog.tsx';

interface SchemaButtonsProps {
  readonly form: Form;
  onImport(fields: readonly FieldDraft[]): void;
}

/** The saved fields as JSON Schema, and fields from one. */
export function SchemaButtons({ form, onImport }: SchemaButtonsProps) {
  const isOwner = useIsOwner();
  const [isOpen, dialog] = useDisclosure();
  const address = fileAddress('/workspaces/:workspace_id/forms/:form_id/schema', {
    params: { workspace_id: form.workspace_id, form_id: form.id },
  });
  return (
    <Group gap="xs" role="group" aria-label="JSON Schema">
      <CopyText value={schemaOfFields(form.name, form.fields)}>Copy JSON Schema</CopyText>
      <Button
        component="a"
        href={address}
        download
        aria-label="Download JSON Schema"
        variant="default"
        size="xs"
        leftSection={<Icon name="download" size={14} />}
      >
        Download
      </Button>
      {isOwner && (
        <Button variant="default" size="xs" onClick={dialog.open}>
          Import JSON Schema
        </Button>
      )}
      <SchemaDialog opened={isOpen} onClose={dialog.close} onImport={onImport} />
    </Group>
  );
}
