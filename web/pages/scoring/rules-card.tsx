import { Box, NumberInput, Switch, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { scoringRulesQuery } from '../../api/queries.ts';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import type { SettingsDraft } from './settings-draft.ts';

/** Each rule can be turned off or get other points. An empty number means the default. */
export function RulesCard({ form }: SettingsDraft) {
  const settings = form.values;
  const query = useQuery(scoringRulesQuery(useWorkspaceId(), useFormId()));
  const isOwner = useIsOwner();
  const weigh = (code: string, points: number | undefined) => {
    const { [code]: _, ...others } = settings.weights;
    form.clearFieldError(`weights.${code}`);
    form.setFieldValue('weights', points === undefined ? others : { ...others, [code]: points });
  };
  const toggle = (code: string, isOn: boolean) => {
    const others = settings.disabled.filter((other) => other !== code);
    form.setFieldValue('disabled', isOn ? others : [...others, code]);
  };
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="sm">
        Rules
      </Title>
      <Loaded query={query}>
        {({ items }) => (
          <StackedTable minWidth={440}>
            <Table verticalSpacing={6} horizontalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Rule</Table.Th>
                  <Table.Th w={110}>Points</Table.Th>
                  <Table.Th w={60}>On</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((rule) => (
                  <Table.Tr key={rule.code}>
                    <Table.Td>
                      <Text size="sm">{rule.description}</Text>
                      <Text size="xs" c="dimmed" component="div">
                        {rule.code}{' '}
                        <Tag tone={rule.axis === 'risk' ? 'warning' : 'good'}>
                          {rule.axis === 'risk' ? 'Risk' : 'Score'}
                        </Tag>
                      </Text>
                    </Table.Td>
                    <Table.Td data-label="Points">
                      <NumberInput
                        size="xs"
                        w={90}
                        aria-label={`Points for ${rule.code}`}
                        placeholder={String(rule.points)}
                        disabled={!isOwner || settings.disabled.includes(rule.code)}
                        value={settings.weights[rule.code] ?? ''}
                        error={form.errors[`weights.${rule.code}`]}
                        onChange={(points) =>
                          weigh(rule.code, typeof points === 'number' ? points : undefined)
                        }
                      />
                    </Table.Td>
                    <Table.Td data-label="On">
                      <Switch
                        size="xs"
                        aria-label={`${rule.code} is on`}
                        disabled={!isOwner}
                        checked={!settings.disabled.includes(rule.code)}
                        onChange={(event) => toggle(rule.code, event.currentTarget.checked)}
                      />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </StackedTable>
        )}
      </Loaded>
    </Box>
  );
}
