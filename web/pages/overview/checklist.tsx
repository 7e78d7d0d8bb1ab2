import { ActionIcon, Anchor, Box, Button, Group, Progress, Stack, Text, Title, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formsQuery, tokensQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

interface Step {
  readonly label: string;
  readonly isDone: boolean;
  readonly to: string;
}

/** Ticks itself from what is there, never from clicks. */
export function Checklist({ hasLeads }: { hasLeads: boolean }) {
  const workspaceId = useWorkspaceId();
  const base = `/w/${workspaceId}`;
  const [isHidden, setHidden] = useLocalStorage({
    key: `leadgate-checklist:${workspaceId}`,
    defaultValue: false,
  });
  const forms = useQuery(formsQuery(workspaceId));
  const tokens = useQuery(tokensQuery(workspaceId));
  if (forms.data === undefined || tokens.data === undefined) return null;
  const first = forms.data.items[0];
  const ofForm = first === undefined ? `${base}/forms` : `${base}/forms/${first.id}`;
  const steps: Step[] = [
    { label: 'Create a form', isDone: first !== undefined, to: `${base}/forms` },
    { label: 'Create an ingest token', isDone: tokens.data.items.length > 0, to: `${base}/tokens` },
    { label: 'Send the first lead', isDone: hasLeads, to: `${base}/leads` },
    {
      label: 'Describe the fields',
      isDone: forms.data.items.some(({ fields }) => fields.length > 0),
      to: ofForm,
    },
    {
      label: 'Set a webhook secret',
      isDone: forms.data.items.some((form) => form.webhook_secret.configured),
      to: first === undefined ? ofForm : `${ofForm}/delivery`,
    },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  if (isHidden) {
    return (
      <Button variant="subtle" color="gray" size="xs" w="fit-content" onClick={() => setHidden(false)}>
        Show the set-up steps ({done} of {steps.length} done)
      </Button>
    );
  }
  return (
    <Box className="panel" p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Set up
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
              aria-label="Hide the set-up steps"
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
        aria-label="Set-up progress"
        color="teal"
      />
      <Stack gap={6}>
        {steps.map((step) => (
          <StepRow key={step.label} step={step} />
        ))}
      </Stack>
    </Box>
  );
}

function StepRow({ step: { label, isDone, to } }: { step: Step }) {
  return (
    <Group gap="xs">
      <Box className="tick" data-done={isDone || undefined}>
        {isDone && <Icon name="check" size={12} />}
      </Box>
      {isDone ? (
        <Text size="sm" c="dimmed">
          {label}
          <span className="only-read">, done</span>
        </Text>
      ) : (
        <Anchor component={Link} to={to} size="sm">
          {label}
        </Anchor>
      )}
    </Group>
  );
}
