import { Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { offeredScopes, type Scope } from '../../../src/contract/workspaces/scopes.ts';
import { api } from '../../api/client.ts';
import { publicUrl } from '../../api/page-settings.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { CodeBlock, CopyText } from '../../parts/copy.tsx';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { ShownOnce } from '../../parts/dialogs/shown-once.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { ScopeChoice } from './scope-choice.tsx';

const expiries = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const dayMs = 86_400_000;
const scopesAtFirst: readonly Scope[] = ['leads:read'];

interface CreateApiKeyProps {
  readonly opened: boolean;
  onClose(): void;
}

export function CreateApiKey({ opened, onClose }: CreateApiKeyProps) {
  const workspaceId = useWorkspaceId();
  const form = useApiForm({
    // `expires_at` is a number of days until the form is sent.
    initialValues: { name: '', scopes: scopesAtFirst, expires_at: '' },
    send: ({ name, scopes, expires_at: days }) =>
      api('POST', '/workspaces/:workspace_id/api-keys', {
        params: { workspace_id: workspaceId },
        body: {
          name,
          scopes: offeredScopes.filter((scope) => scopes.includes(scope)),
          expires_at: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
        },
      }),
  });
  const close = () => {
    onClose();
    form.reset();
  };
  const created = form.mutation.data;
  if (created) {
    return <ShownKey opened={opened} workspaceId={workspaceId} created={created} onClose={close} />;
  }
  return (
    <Modal opened={opened} onClose={close} size="lg" title={<Text fw={620}>New API key</Text>}>
      <DialogForm form={form} submitLabel="Create API key" onCancel={close}>
        <TextInput
          label="Name"
          description="What will use it, for example “Zapier”. The audit log shows this name."
          data-autofocus
          required
          {...form.getInputProps('name')}
        />
        <ScopeChoice
          value={form.values.scopes}
          error={form.errors.scopes}
          onChange={(scopes) => form.setFieldValue('scopes', scopes)}
        />
        <Select label="Expires" data={expiries} allowDeselect={false} {...form.getInputProps('expires_at')} />
      </DialogForm>
    </Modal>
  );
}

interface ShownKeyProps {
  readonly opened: boolean;
  readonly workspaceId: string;
  readonly created: { readonly name: string; readonly key: string; readonly scopes: readonly Scope[] };
  onClose(): void;
}

function ShownKey({ opened, workspaceId, created: { name, key, scopes }, onClose }: ShownKeyProps) {
  const what = scopes.includes('leads:read') ? '/leads?limit=3' : '';
  const sample = (shown: string) =>
    `curl '${publicUrl}/api/v1/workspaces/${workspaceId}${what}' \\\n  -H 'Authorization: Bearer ${shown}'`;
  return (
    <ShownOnce
      opened={opened}
      onClose={onClose}
      title={`API key ${name}`}
      value={key}
      name="API key"
      actions={
        <>
          <CopyText value={sample(key)}>Copy as curl</CopyText>
          <CopyText value={`LEADGATE_KEY=${key}`}>Copy as .env line</CopyText>
        </>
      }
    >
      <Stack gap="xs">
        Use it to {what === '' ? 'read the workspace' : 'read leads'}:
        <CodeBlock code={sample('lgk_…')} label="curl sample" />
      </Stack>
    </ShownOnce>
  );
}
