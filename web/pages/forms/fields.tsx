import { Button, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formQuery, formsQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { useUnsavedGuard } from '../../parts/dialogs/unsaved-guard.ts';
import { Icon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toastDone } from '../../parts/toast.ts';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { ExampleDialog } from './example-dialog.tsx';
import { draftOf, type FieldDraft, fieldOf } from './field-draft.ts';
import { FieldRows } from './field-rows.tsx';
import { FieldSuggestions } from './fields/field-suggestions.tsx';
import { SchemaButtons } from './fields/schema-buttons.tsx';
import { FormSettings } from './form-settings.tsx';

export function Fields() {
  const query = useQuery(formQuery(useWorkspaceId(), useFormId()));
  return <Loaded query={query}>{(form) => <FieldEditor key={form.id} form={form} />}</Loaded>;
}

function FieldEditor({ form }: { form: Form }) {
  const queryClient = useQueryClient();
  const isOwner = useIsOwner();
  const editor = useApiForm({
    initialValues: { fields: form.fields.map(draftOf) },
    send: ({ fields }) =>
      api('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: form.workspace_id, form_id: form.id },
        body: { fields: fields.map(fieldOf) },
      }),
    async onSuccess(saved, sent) {
      editor.resetDirty(sent);
      queryClient.setQueryData(formQuery(form.workspace_id, form.id).queryKey, saved);
      toastDone('Fields saved.');
      await queryClient.invalidateQueries({ queryKey: formsQuery(form.workspace_id).queryKey });
    },
  });
  const { fields } = editor.values;
  const isDirty = editor.isDirty();
  useUnsavedGuard(isDirty);
  const addKeys = (drafts: readonly FieldDraft[]) => {
    const declared = new Set(fields.map(({ key }) => key));
    for (const draft of drafts) if (!declared.has(draft.key)) editor.insertListItem('fields', draft);
  };
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="md">
          <div>
            <Title order={2} size="h4">
              Fields
            </Title>
            <Text size="sm" c="dimmed" maw={520}>
              Fields are the top-level keys of a lead. They name table columns and improve the score. A
              missing or invalid field never causes a rejection.
            </Text>
          </div>
          <Group gap="xs">
            {isOwner && <ExampleDialog onAdd={addKeys} />}
            <SchemaButtons form={form} onImport={(drafts) => editor.setFieldValue('fields', [...drafts])} />
          </Group>
          <SubmitForm
            form={{ ...editor, problem: editor.problem ?? editor.errors.fields?.toString() }}
            gap="md"
          >
            <FieldRows form={editor} isReadOnly={!isOwner} />
            {isOwner && (
              <Group gap="xs">
                <Button type="submit" disabled={!isDirty} loading={editor.mutation.isPending}>
                  Save fields
                </Button>
                <Button
                  variant="default"
                  leftSection={<Icon name="plus" size={14} />}
                  onClick={() => editor.insertListItem('fields', draftOf({ key: '' }))}
                >
                  Add field
                </Button>
                {isDirty && (
                  <Button variant="subtle" color="gray" onClick={editor.reset}>
                    Discard changes
                  </Button>
                )}
              </Group>
            )}
          </SubmitForm>
          <FieldSuggestions form={form} fields={fields} onAdd={(field) => addKeys([field])} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <FormSettings key={form.id} form={form} />
      </Grid.Col>
    </Grid>
  );
}
