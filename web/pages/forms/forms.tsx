import { Box, Button, Group, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { formsQuery } from '../../api/queries.ts';
import { CopyIcon } from '../../parts/copy.tsx';
import { useAskedDialog } from '../../parts/dialogs/asked-dialog.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { countText } from '../../parts/numbers.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { Settled } from '../../parts/settled.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { CreateForm } from './create-form.tsx';
import { FormTraffic } from './form-traffic.tsx';

export function Forms() {
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const forms = useQuery(formsQuery(workspaceId));
  const [isCreating, create] = useDisclosure();
  useAskedDialog('form', create.open);
  const button = isOwner && (
    <Button leftSection={<Icon name="plus" />} onClick={create.open}>
      Create form
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Forms"
        text="Each lead belongs to a form. A form has its own webhook URL and its own fields."
      >
        {button}
      </PageHeader>
      <Settled>
        <Loaded query={forms}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty
                icon="forms"
                title="No forms yet"
                text="A form collects the leads of one source, for example your contact page. Create one, then send leads to it with a token, a signed webhook or a web page."
              >
                {button}
              </Empty>
            ) : (
              <FormTable forms={items} />
            )
          }
        </Loaded>
      </Settled>
      <CreateForm opened={isCreating} onClose={create.close} />
    </>
  );
}

function FormTable({ forms }: { forms: readonly Form[] }) {
  return (
    <Box className="panel">
      <StackedTable minWidth={640}>
        <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Form</Table.Th>
              <Table.Th>Slug</Table.Th>
              <Table.Th>Webhook</Table.Th>
              <Table.Th>Last 24 hours</Table.Th>
              <Table.Th>Active</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {forms.map((form) => (
              <FormRow key={form.id} form={form} />
            ))}
          </Table.Tbody>
        </Table>
      </StackedTable>
    </Box>
  );
}

function FormRow({ form }: { form: Form }) {
  const { configured, previous_valid_until } = form.webhook_secret;
  return (
    <Table.Tr>
      <Table.Td maw={280}>
        <TextLink
          to="/w/$workspaceId/forms/$formId"
          params={{ workspaceId: form.workspace_id, formId: form.id }}
          fw={580}
          size="sm"
          className="wrap"
          dir="auto"
        >
          {form.name}
        </TextLink>
        <Text size="xs" c="dimmed">
          {form.fields.length === 0
            ? 'No fields declared'
            : `${countText(form.fields.length, 'field')} declared`}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          <Text size="sm" ff="monospace" className="cut" maw={200}>
            {form.slug}
          </Text>
          <CopyIcon value={form.slug} label={`Copy slug ${form.slug}`} />
        </Group>
      </Table.Td>
      <Table.Td>
        {!configured && <Tag tone="quiet">No secret</Tag>}
        {configured && previous_valid_until === null && <Tag tone="good">Secret set</Tag>}
        {configured && previous_valid_until !== null && <Tag tone="warning">Two secrets valid</Tag>}
      </Table.Td>
      <Table.Td>
        <FormTraffic workspaceId={form.workspace_id} formId={form.id} />
      </Table.Td>
      <Table.Td>
        <ActiveSwitch form={form} />
      </Table.Td>
    </Table.Tr>
  );
}
