import { Box, Group, NumberInput, Switch, Table, Text, UnstyledButton } from '@mantine/core';
import { useId } from 'react';
import type { ScoringRule } from '../../../src/contract/scoring.ts';
import { Icon } from '../../parts/icons.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { Tag } from '../../parts/tag.tsx';
import { useIsOwner } from '../../shell/workspace.ts';
import { isChanged, type RuleGroup } from './rule-groups.ts';
import type { SettingsDraft } from './settings-draft.ts';

interface RuleGroupSectionProps extends SettingsDraft {
  readonly group: RuleGroup;
  readonly isOpen: boolean;
  /** Null while a search or a filter keeps it open. */
  readonly onToggle: (() => void) | null;
}

/** The rules of one family, below a heading that folds them. */
export function RuleGroupSection({ group, form, isOpen, onToggle }: RuleGroupSectionProps) {
  const listId = useId();
  const heading = (
    <Group component="span" gap="xs" py={10} wrap="wrap">
      {onToggle && <Icon name={isOpen ? 'down' : 'right'} size={15} />}
      <Text component="span" size="sm" fw={600}>
        {group.name}
      </Text>
      <Text component="span" size="sm" c="dimmed">
        {countText(group.count, 'rule')}
      </Text>
      {group.changed > 0 && <Tag tone="accent">{numberText(group.changed)} changed</Tag>}
    </Group>
  );
  return (
    <Box className="field">
      <Text component="h3" m={0} size="sm">
        {onToggle === null ? (
          heading
        ) : (
          <UnstyledButton w="100%" aria-expanded={isOpen} aria-controls={listId} onClick={onToggle}>
            {heading}
          </UnstyledButton>
        )}
      </Text>
      <div id={listId}>{isOpen && <RuleTable rules={group.shown} form={form} />}</div>
    </Box>
  );
}

function RuleTable({ rules, form }: SettingsDraft & { rules: readonly ScoringRule[] }) {
  return (
    <StackedTable minWidth={440}>
      <Table verticalSpacing={6} horizontalSpacing="xs" mb="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Rule</Table.Th>
            <Table.Th w={110}>Points</Table.Th>
            <Table.Th w={60}>On</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rules.map((rule) => (
            <RuleRow key={rule.code} rule={rule} form={form} />
          ))}
        </Table.Tbody>
      </Table>
    </StackedTable>
  );
}

function RuleRow({ rule, form }: SettingsDraft & { rule: ScoringRule }) {
  const { code } = rule;
  const settings = form.values;
  const isOwner = useIsOwner();
  const weigh = (points: number | undefined) => {
    const { [code]: _, ...others } = settings.weights;
    form.clearFieldError(`weights.${code}`);
    form.setFieldValue('weights', points === undefined ? others : { ...others, [code]: points });
  };
  const toggle = (isOn: boolean) => {
    const others = settings.disabled.filter((other) => other !== code);
    form.setFieldValue('disabled', isOn ? others : [...others, code]);
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{rule.description}</Text>
        <Group gap={6}>
          <Text size="xs" c="dimmed" className="wrap">
            {code}
          </Text>
          <Tag tone={rule.axis === 'risk' ? 'warning' : 'good'}>
            {rule.axis === 'risk' ? 'Risk' : 'Score'}
          </Tag>
          {isChanged(rule, settings) && <Tag tone="accent">Changed</Tag>}
        </Group>
      </Table.Td>
      <Table.Td data-label="Points">
        <NumberInput
          size="xs"
          w={90}
          aria-label={`Points for ${code}`}
          placeholder={String(rule.points)}
          disabled={!isOwner || settings.disabled.includes(code)}
          value={settings.weights[code] ?? ''}
          error={form.errors[`weights.${code}`]}
          onChange={(points) => weigh(typeof points === 'number' ? points : undefined)}
        />
      </Table.Td>
      <Table.Td data-label="On">
        <Switch
          size="xs"
          aria-label={`${code} is on`}
          disabled={!isOwner}
          checked={!settings.disabled.includes(code)}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
      </Table.Td>
    </Table.Tr>
  );
}
