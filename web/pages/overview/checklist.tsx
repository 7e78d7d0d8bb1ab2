import { ActionIcon, Box, Button, Group, Progress, Stack, Text, Title, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { destinationsQuery } from '../../api/destination-queries.ts';
import { formsQuery, tokensQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** Steps are ticked by what exists, never by clicks. */
export function Checklist({ hasLeads }: { hasLeads: boolean }) {
  const workspaceId = useWorkspaceId();
  const [isHidden, setHidden] = useLocalStorage({
    key: `leadgate-checklist:${workspaceId}`,
    defaultValue: false,
  });
  const forms = useQuery(formsQuery(workspaceId));
  const tokens = useQuery(tokensQuery(workspaceId));
  const destinations = useQuery(destinationsQuery(workspaceId));
  if (forms.data === undefined || tokens.data === undefined) return null;
  const first = forms.data.items[0];
  const params = { workspaceId };
  const toForms = linkOptions({ to: '/w/$workspaceId/forms', params });
  const ofFirst = first && { workspaceId, formId: first.id };
  const steps = [
    { label: 'Create a form', isDone: first !== undefined, link: toForms },
    {
      label: 'Create an ingest token',
      isDone: tokens.data.items.some(({ status }) => status === 'active'),
      link: linkOptions({ to: '/w/$workspaceId/tokens', params }),
    },
    {
      label: 'Send the first lead',
      isDone: hasLeads,
      link: linkOptions({ to: '/w/$workspaceId/leads', params }),
    },
    {
      label: 'Declare the fields',
      isDone: forms.data.items.some(({ fields }) => fields.length > 0),
      link: ofFirst ? linkOptions({ to: '/w/$workspaceId/forms/$formId', params: ofFirst }) : toForms,
    },
    {
      label: 'Set a webhook secret',
      isDone: forms.data.items.some((form) => form.webhook_secret.configured),
      link: ofFirst
        ? linkOptions({ to: '/w/$workspaceId/forms/$formId/delivery', params: ofFirst })
        : toForms,
    },
    {
      label: 'Send leads somewhere',
      // Unknown if they cannot be read: then it is not asked for.
      isDone: destinations.data === undefined || destinations.data.items.length > 0,
      link: linkOptions({ to: '/w/$workspaceId/destinations/new', params }),
    },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  if (isHidden) {
    return (
      <Button variant="subtle" color="gray" size="xs" w="fit-content" onClick={() => setHidden(false)}>
        Show setup steps ({done} of {steps.length} done)
      </Button>
    );
  }
  return (
    <Box className="panel" p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Setup
        </Title>
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            {done} of {steps.length} done
          </Text>
          <Tooltip label="Hide">
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={() => setHidden(true)}
              aria-label="Hide setup steps"
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Progress
        value={(done / steps.length) * 100}
        size="sm"
        mb="sm"
        aria-label="Setup progress"
        color="teal"
      />
      <Stack gap={6}>
        {steps.map(({ label, isDone, link }) => (
          <Group key={label} gap="xs">
            <Box className="tick" data-done={isDone || undefined}>
              {isDone && <Icon name="check" size={12} />}
            </Box>
            {isDone ? (
              <Text size="sm" c="dimmed">
                {label}
                <span className="only-read">, done</span>
              </Text>
            ) : (
              <TextLink {...link} size="sm">
                {label}
              </TextLink>
            )}
          </Group>
        ))}
      </Stack>
    </Box>
  );
}
