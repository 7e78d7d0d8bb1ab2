import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { FormerSlug } from '../../../../src/contract/forms/slug.ts';
import { api } from '../../../api/client.ts';
import { formerSlugsQuery, formsQuery } from '../../../api/queries.ts';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { TimeAgo, TimeUntil } from '../../../parts/time.tsx';
import { toastDone } from '../../../parts/toast.ts';

const shownMax = 10;

interface FormerSlugsProps {
  readonly workspaceId: string;
  readonly formId: string;
  onTake(slug: string): void;
}

/** Slugs that forms of the workspace no longer use. They stay reserved for it, so its forms can use them again. */
export function FormerSlugs({ workspaceId, formId, onTake }: FormerSlugsProps) {
  const { data } = useQuery(formerSlugsQuery(workspaceId));
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  const aliases = items.filter((item) => item.form_id === formId && item.alias_until !== null);
  return (
    <Stack gap="xs">
      {aliases.map((alias) => (
        <Alias key={alias.slug} alias={alias} />
      ))}
      <Text size="xs" c="dimmed" className="wrap">
        Former slugs, reserved for this workspace:{' '}
        {items.slice(0, shownMax).map(({ slug, alias_until }, place) => (
          <Fragment key={slug}>
            {place > 0 && ', '}
            <Anchor component="button" type="button" size="xs" onClick={() => onTake(slug)}>
              {slug}
            </Anchor>
            {alias_until !== null && ' (alias)'}
          </Fragment>
        ))}
        {items.length > shownMax && `, and ${items.length - shownMax} more`}
      </Text>
    </Stack>
  );
}

/** A former slug at which the form still gets leads. */
function Alias({ alias }: { alias: FormerSlug }) {
  const { slug, workspace_id, alias_until, alias_used_at } = alias;
  const [isAsking, ask] = useDisclosure();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/former-slugs/end-alias', {
        params: { workspace_id },
        body: { slug },
      }),
    onSuccess: () => {
      ask.close();
      toastDone(`${slug} is no longer an alias.`);
      return queryClient.invalidateQueries({ queryKey: formsQuery(workspace_id).queryKey });
    },
  });
  return (
    <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
      <Text size="sm" component="div" className="wrap">
        <b>{slug}</b> is an alias of this form. It ends{' '}
        {alias_until !== null && <TimeUntil time={alias_until} size="inherit" />};{' '}
        {alias_used_at === null ? (
          'it has not been used.'
        ) : (
          <>
            last used <TimeAgo time={alias_used_at} size="inherit" />.
          </>
        )}
      </Text>
      <Button
        size="compact-xs"
        variant="default"
        onClick={ask.open}
        aria-label={`End alias ${slug}`}
        flex="none"
      >
        End alias
      </Button>
      <Confirm
        opened={isAsking}
        title={`End the alias ${slug}?`}
        action="End alias"
        mutation={end}
        onClose={ask.close}
      >
        Webhook requests to <b className="wrap">{slug}</b> are then rejected. The slug stays reserved for this
        workspace.
      </Confirm>
    </Group>
  );
}
