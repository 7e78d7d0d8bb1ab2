import { Box, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { toastDone } from '../../parts/toast.ts';
import { useIsOwner } from '../../shell/workspace.ts';
import { RhythmCard } from '../alarms/watching/rhythm-card.tsx';
import { UnknownKeys } from './fields/unknown-keys.tsx';
import { KeepRejected } from './keep-rejected.tsx';
import { FormerSlugs } from './slug/former-slugs.tsx';
import { SlugChange } from './slug/slug-change.tsx';
import { SlugInput } from './slug/slug-input.tsx';

export function FormSettings({ form: current }: { form: Form }) {
  const { workspace_id: workspaceId, id } = current;
  const queryClient = useQueryClient();
  const isOwner = useIsOwner();
  const [isAlias, setAlias] = useState(false);
  const form = useApiForm({
    initialValues: { name: current.name, slug: current.slug },
    // Only what is new, so that the audit log says what was changed.
    send: ({ name, slug }) =>
      api('PATCH', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: workspaceId, form_id: id },
        body: {
          ...(name === current.name ? {} : { name }),
          ...(slug === current.slug ? {} : { slug, ...(isAlias ? { keep_former_slug: true } : {}) }),
        },
      }),
    onSuccess: (_, sent) => {
      form.resetDirty(sent);
      setAlias(false);
      toastDone('Form saved.');
      return queryClient.invalidateQueries({ queryKey: formsQuery(workspaceId).queryKey });
    },
  });
  if (!isOwner) return null;
  return (
    <Stack gap="md">
      <SubmitForm form={form} className="panel" p="md">
        <Title order={2} size="h5">
          Name and slug
        </Title>
        <TextInput label="Name" attributes={{ input: { dir: 'auto' } }} {...form.getInputProps('name')} />
        <SlugInput
          workspaceId={workspaceId}
          name={form.values.name}
          own={current.slug}
          {...form.getInputProps('slug')}
          value={form.values.slug}
        />
        <FormerSlugs
          workspaceId={workspaceId}
          formId={id}
          onTake={(slug) => form.setFieldValue('slug', slug)}
        />
        {form.values.slug !== current.slug && (
          <SlugChange slug={current.slug} isAlias={isAlias} onChange={setAlias} />
        )}
        <Button type="submit" variant="default" disabled={!form.isDirty()} loading={form.mutation.isPending}>
          Save
        </Button>
      </SubmitForm>
      <RhythmCard formId={id} />
      <UnknownKeys form={current} />
      <KeepRejected form={current} />
      <DeleteForm form={current} />
    </Stack>
  );
}

function DeleteForm({ form }: { form: Form }) {
  const [isAsking, ask] = useDisclosure();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/forms/:form_id', {
        params: { workspace_id: form.workspace_id, form_id: form.id },
      }),
    async onSuccess() {
      await navigate({ to: '/w/$workspaceId/forms', params: { workspaceId: form.workspace_id } });
      await queryClient.invalidateQueries({ queryKey: formsQuery(form.workspace_id).queryKey });
    },
  });
  return (
    <Box className="panel" p="md">
      <Text size="sm" c="dimmed" mb="xs">
        Anything sent to a deleted form is rejected. Its leads are kept.
      </Text>
      <Button variant="light" color="red" size="xs" onClick={ask.open}>
        Delete form
      </Button>
      <Confirm
        opened={isAsking}
        title={`Delete ${form.name}?`}
        action="Delete form"
        typed={form.name}
        mutation={remove}
        onClose={ask.close}
      >
        The tokens, the webhook URL and the web pages of this form stop working immediately, and its webhook
        secret is erased. Its leads are kept, and the slug stays reserved for this workspace. This cannot be
        undone.
      </Confirm>
    </Box>
  );
}
