import { ActionIcon, Box, Group, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { formsQuery } from '../../../api/queries.ts';
import { CopyIcon } from '../../../parts/copy.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { countText } from '../../../parts/numbers.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useLeadSearch } from '../lead-address.ts';
import { valueText } from '../table/cells.tsx';
import { isNested } from '../table/key-order.ts';

export function LeadFields({ lead }: { lead: Lead }) {
  const forms = useQuery(formsQuery(useWorkspaceId()));
  const form = forms.data?.items.find(({ id }) => id === lead.form_id);
  const declared = form?.fields ?? [];
  const labels = new Map(declared.map((field) => [field.key, field.label ?? field.key]));
  const others = Object.keys(lead.fields).filter((key) => !labels.has(key));
  const isHiding = form?.unknown_keys === 'hidden' && others.length > 0;
  const keys = [...labels.keys(), ...(isHiding ? [] : others)];
  if (keys.length === 0 && !isHiding)
    return <Text size="sm">The lead has no fields: its body is an empty object.</Text>;
  return (
    <Box>
      {keys.map((key) => (
        <Field key={key} name={key} label={labels.get(key) ?? key} lead={lead} />
      ))}
      {isHiding && (
        <Text size="xs" c="dimmed" mt="xs">
          {countText(others.length, 'undeclared key')} {others.length === 1 ? 'is' : 'are'} hidden. The exact
          bytes contain them.
        </Text>
      )}
    </Box>
  );
}

function Field({ name, label, lead }: { name: string; label: string; lead: Lead }) {
  const { change } = useLeadSearch();
  const has = Object.hasOwn(lead.fields, name);
  const value = has ? lead.fields[name] : undefined;
  const isTree = isNested(value);
  const text = isTree ? JSON.stringify(value, null, 2) : valueText(value);
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
          ff={isTree ? 'monospace' : 'text'}
          c={has ? 'var(--mantine-color-text)' : 'dimmed'}
        >
          {has ? text || '(empty)' : 'missing'}
        </Text>
      </Box>
      {has && (
        <Group gap={0} wrap="nowrap">
          {!isTree && text !== '' && (
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
