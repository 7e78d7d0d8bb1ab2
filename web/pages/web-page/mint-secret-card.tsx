import { Alert, Anchor, Box, Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { BrowserSettings } from '../../../src/contract/browser/settings.ts';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { browserQuery } from '../../api/queries.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { CopyIcon, CopyText } from '../../parts/copy.tsx';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { OverlapChoice, overlapDefault } from '../../parts/dialogs/overlap-choice.tsx';
import { ShownOnce } from '../../parts/dialogs/shown-once.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Tag } from '../../parts/tag.tsx';
import { exactTime, TimeAgo } from '../../parts/time.tsx';

interface MintSecretProps {
  readonly form: Form;
  readonly settings: BrowserSettings;
}

/** For a backend that signs browser tokens itself. */
export function MintSecretCard({ form, settings }: MintSecretProps) {
  const { set_at, previous_valid_until } = settings.mint_secret;
  const [isOpen, dialog] = useDisclosure();
  const isOverlapping = previous_valid_until !== null && Date.parse(previous_valid_until) > Date.now();
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="mint-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" id="mint-title">
          Mint secret
        </Title>
        <Tag tone={set_at === null ? 'quiet' : 'good'}>{set_at === null ? 'Not set' : 'Set'}</Tag>
      </Group>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          With it, your backend signs browser tokens itself, without a request and without protection against
          bots in the page. Optional: most pages do not need it.{' '}
          <Anchor href="/docs/browser-tokens" target="_blank" size="sm">
            Browser tokens
          </Anchor>
        </Text>
        {set_at !== null && (
          <Text size="sm" component="div">
            Set <TimeAgo time={set_at} size="inherit" />. It was shown once and cannot be shown again.
          </Text>
        )}
        {isOverlapping && (
          <Alert color="yellow" icon={<Icon name="clock" />} p="sm" w="100%">
            The previous secret is valid until {exactTime(previous_valid_until)}.
          </Alert>
        )}
        <Button
          variant="default"
          leftSection={<Icon name={set_at === null ? 'token' : 'refresh'} size={15} />}
          onClick={dialog.open}
        >
          {set_at === null ? 'Create mint secret' : 'Rotate mint secret'}
        </Button>
      </Stack>
      <MintSecretDialog
        form={form}
        isSet={set_at !== null}
        isOverlapping={isOverlapping}
        opened={isOpen}
        onClose={dialog.close}
      />
    </Box>
  );
}

interface MintSecretDialogProps {
  readonly form: Form;
  readonly isSet: boolean;
  readonly isOverlapping: boolean;
  readonly opened: boolean;
  onClose(): void;
}

function MintSecretDialog({
  form: { id, workspace_id },
  isSet,
  isOverlapping,
  opened,
  onClose,
}: MintSecretDialogProps) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initialValues: { overlap_seconds: overlapDefault },
    send: ({ overlap_seconds }) =>
      api('POST', '/workspaces/:workspace_id/forms/:form_id/browser/mint-secret', {
        params: { workspace_id, form_id: id },
        body: { overlap_seconds: isSet ? Number(overlap_seconds) : 0 },
      }),
  });
  const close = () => {
    onClose();
    form.reset();
    void queryClient.invalidateQueries({ queryKey: browserQuery(workspace_id, id).queryKey });
  };
  const created = form.mutation.data;
  if (created) return <ShownSecret created={created} opened={opened} onClose={close} />;
  const action = isSet ? 'Rotate mint secret' : 'Create mint secret';
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>New mint secret</Text>}>
      <DialogForm form={form} submitLabel={action} onCancel={close}>
        <Text size="sm">
          Anyone who has the secret can create tokens for this form. Keep it on your server, never in a page.
        </Text>
        {isSet && (
          <OverlapChoice
            label="Keep the current secret valid for"
            withoutOverlap="Tokens signed with the current secret are rejected immediately. Choose this after a leak."
            withOverlap="Your backend keeps working while you move it to the new secret."
            value={form.values.overlap_seconds}
            input={form.getInputProps('overlap_seconds', { withError: false })}
          />
        )}
        {isOverlapping && (
          <Alert color="yellow" icon={<Icon name="clock" />} p="xs">
            Two secrets are valid at the moment. Rotating now ends the older one immediately.
          </Alert>
        )}
      </DialogForm>
    </Modal>
  );
}

interface ShownSecretProps {
  readonly created: {
    readonly secret: string;
    readonly workspace_id: string;
    readonly form_id: string;
    readonly epoch: number;
    readonly previous_valid_until: string | null;
  };
  readonly opened: boolean;
  onClose(): void;
}

/** The secret with everything else that a backend needs to sign. */
function ShownSecret({ created, opened, onClose }: ShownSecretProps) {
  const { secret, workspace_id, form_id, epoch, previous_valid_until } = created;
  const lines = [
    `LEADGATE_MINT_SECRET=${secret}`,
    `LEADGATE_WORKSPACE=${workspace_id}`,
    `LEADGATE_FORM=${form_id}`,
    `LEADGATE_EPOCH=${epoch}`,
  ];
  return (
    <ShownOnce
      opened={opened}
      onClose={onClose}
      title="Your mint secret"
      value={secret}
      name="mint secret"
      actions={<CopyText value={lines.join('\n')}>Copy as .env lines</CopyText>}
    >
      <dl className="facts" style={{ alignItems: 'center' }}>
        {[
          ['Workspace ID', workspace_id],
          ['Form ID', form_id],
          ['Epoch', String(epoch)],
        ].map(([name = '', value = '']) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      <Text size="sm" mt="sm">
        {previous_valid_until === null
          ? 'Only this secret is valid from now on.'
          : `The previous secret stays valid until ${exactTime(previous_valid_until)}.`}{' '}
        The IDs and the epoch are part of what you sign.
      </Text>
    </ShownOnce>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="wrap">
        <code>{value}</code> <CopyIcon value={value} label={`Copy ${name.toLowerCase()}`} />
      </dd>
    </>
  );
}
