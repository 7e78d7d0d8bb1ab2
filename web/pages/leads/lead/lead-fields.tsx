import { ActionIcon, Box, Group, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { formsQuery } from '../../../api/queries.ts';
import { CopyIcon } from '../../../parts/copy.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useLeadSearch } from '../lead-address.ts';
import { valueText } from '../table/cells.tsx';

export function LeadFields({ lead }: { lead: Lead }) {
  const forms = useQuery(formsQuery(useWorkspaceId()));
  const declared = forms.data?.items.find(({ id }) => id === lead.form_id)?.fields ?? [];
  const labels = new Map(declared.map((field) => [field.key, field.label ?? field.key]));
  const keys = [...labels.keys(), ...Object.keys(lead.fields).filter((key) => !labels.has(key))];
  if (keys.length === 0) return <Text size="sm">The lead has no fields: its body is an empty object.</Text>;
  return (
    <Box>
      {keys.map((key) => (
        <Field key={key} name={key} label={labels.get(key) ?? key} lead={lead} />
      ))}
    </Box>
  );
}

function Field({ name, label, lead }: { name: string; label: string; lead: Lead }) {
  const { change } = useLeadSearch();
  const has = Object.hasOwn(lead.fields, name);
  const value = has ? lead.fields[name] : undefined;
  const isNested = typeof value === 'object' && value !== null;
  const text = isNested ? JSON.stringify(value, null, 2) : valueText(value);
  return (
    <Group wrap="nowrap" align="flex-start" justify="space-between" gap="xs" py={8} className="field">
      <Box component="dl" m={0} miw={0} flex={1}>
        <Text component="dt" size="xs" c="dimmed" className="wrap" dir="auto">
          {label}
        </Text>
        <Text
          component="dd"
          m={0}
          size="sm"
          className="wrap"
          dir="auto"
          ff={isNested ? 'monospace' : 'text'}
          c={has ? 'var(--mantine-color-text)' : 'dimmed'}
        >
          {has ? text || '(empty)' : 'missing'}
        </Text>
      </Box>
      {has && (
        <Group gap={0} wrap="nowrap">
          {!isNested && text !== '' && (
            <Tooltip label="Show leads with this value">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Show leads with this ${label}`}
                onClick={() => change({ [`field.${name}`]: text })}
              >
                <Icon name="search" size={14} />
              </ActionIcon>
            </Tooltip>
          )}
          <CopyIcon value={text} label={`Copy ${label}`} />
        </Group>
      )}
    </Group>
  );
}
