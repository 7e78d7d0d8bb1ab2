import { Box, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormerSlugHolders } from '../../../src/contract/forms/slug.ts';
import { operatorAuditQuery } from '../../api/audit-queries.ts';
import { api } from '../../api/client.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { toastDone } from '../../parts/toast.ts';

type Holder = FormerSlugHolders['items'][number];

/** A slug that a form no longer uses stays reserved for its workspace until an operator releases it. */
export function FormerSlugCard() {
  const form = useApiForm({
    initialValues: { slug: '' },
    send: (query) => api('GET', '/operator/former-slugs', { query }),
  });
  const holders = form.mutation.data?.items;
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5">
        Former slugs
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw={640}>
        A slug that a form no longer uses stays reserved for its workspace. Release one so that any workspace
        can use it.
      </Text>
      <form onSubmit={form.submit}>
        <Group align="flex-start" gap="xs">
          <TextInput
            aria-label="Former slug"
            placeholder="Slug"
            required
            w={{ base: '100%', xs: 340 }}
            {...form.getInputProps('slug')}
            error={form.errors.slug ?? form.problem}
          />
          <Button type="submit" variant="default" loading={form.mutation.isPending}>
            Find
          </Button>
        </Group>
      </form>
      {holders?.length === 0 && (
        <Text size="sm" mt="sm" role="status">
          This is not a former slug.
        </Text>
      )}
      {holders?.map((holder) => (
        <FormerSlugRow key={holder.workspace_id} holder={holder} onReleased={form.mutation.mutate} />
      ))}
    </Box>
  );
}

function FormerSlugRow({ holder, onReleased }: { holder: Holder; onReleased: () => void }) {
  const { slug, workspace_id: workspaceId, workspace_name: workspaceName, freed_at: freedAt } = holder;
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const [reason, setReason] = useState('');
  const release = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/former-slugs/release', {
        params: { workspace_id: workspaceId },
        body: { slug, ...(reason === '' ? {} : { reason }) },
      }),
    onSuccess: () => {
      ask.close();
      toastDone('Slug released.');
      onReleased();
      return queryClient.invalidateQueries({ queryKey: operatorAuditQuery.queryKey });
    },
  });
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" component="div" className="wrap">
        <b>{slug}</b> is reserved for {workspaceName}, freed <TimeAgo time={freedAt} />
      </Text>
      <Button
        size="xs"
        variant="light"
        color="red"
        onClick={ask.open}
        aria-label={`Release ${slug} of ${workspaceName}`}
      >
        Release
      </Button>
      <Confirm
        opened={isAsking}
        title={`Release ${slug}?`}
        action="Release slug"
        typed={slug}
        mutation={release}
        onClose={ask.close}
      >
        <Stack gap="sm">
          Any workspace can then use this slug and read what old senders of {workspaceName} still post to it.
          Make sure that none do. The owners of {workspaceName} see the release in their audit log.
          <TextInput
            label="Reason"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Stack>
      </Confirm>
    </Group>
  );
}
