import { Button, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formQuery, formsQuery } from '../../api/queries.ts';
import { useUnsavedGuard } from '../../parts/dialogs/unsaved-guard.ts';
import { Icon } from '../../parts/icons.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { toastDone } from '../../parts/toast.ts';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { ExampleDialog } from './example-dialog.tsx';
import { type FieldDraft, withoutBlanks } from './field-draft.ts';
import { FieldRows } from './field-rows.tsx';
import { FieldSuggestions } from './field-suggestions.tsx';
import { FormSettings } from './form-settings.tsx';

export function Fields() {
  const query = useQuery(formQuery(useWorkspaceId(), useFormId()));
  return <Loaded query={query}>{(form) => <FieldEditor key={form.id} form={form} />}</Loaded>;
}

function FieldEditor({ form }: { form: Form }) {
  const queryClient = useQueryClient();
  const isOwner = useIsOwner();
  const [fields, setFields] = useState<readonly FieldDraft[]>(form.fields);
  const isDirty = JSON.stringify(fields) !== JSON.stringify(form.fields);
  useUnsavedGuard(isDirty);
  const save = useMutation({
    mutationFn: () =>
      api('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: form.workspace_id, form_id: form.id },
        body: { fields: fields.map(withoutBlanks) },
      }),
    async onSuccess(saved) {
      queryClient.setQueryData(formQuery(form.workspace_id, form.id).queryKey, saved);
      setFields(saved.fields);
      toastDone('The fields are saved.');
      await queryClient.invalidateQueries({ queryKey: formsQuery(form.workspace_id).queryKey });
    },
  });
  const addKeys = (keys: readonly FieldDraft[]) =>
    setFields((before) => [
      ...before,
      ...keys.filter(({ key }) => before.every((field) => field.key !== key)),
    ]);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="md">
          <Group justify="space-between" align="flex-end">
            <div>
              <Title order={2} size="h4">
                Fields
              </Title>
              <Text size="sm" c="dimmed" maw={520}>
                Fields are the top-level keys of what is sent. They name columns and help the score. A field
                that is missing or odd never rejects a lead.
              </Text>
            </div>
            {isOwner && <ExampleDialog onAdd={addKeys} />}
          </Group>
          <FieldRows fields={fields} onChange={setFields} error={save.error} isReadOnly={!isOwner} />
          {save.error && <Failure error={save.error} />}
          {isOwner && (
            <Group gap="xs">
              <Button onClick={() => save.mutate()} disabled={!isDirty} loading={save.isPending}>
                Save fields
              </Button>
              <Button
                variant="default"
                leftSection={<Icon name="plus" size={14} />}
                onClick={() => setFields([...fields, { key: '' }])}
              >
                Add field
              </Button>
              {isDirty && (
                <Button variant="subtle" color="gray" onClick={() => setFields(form.fields)}>
                  Discard changes
                </Button>
              )}
            </Group>
          )}
          <FieldSuggestions form={form} fields={fields} onAdd={(field) => addKeys([field])} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <FormSettings key={form.id} form={form} />
      </Grid.Col>
    </Grid>
  );
}
