import { Box, Button, Group, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ScoringRule } from '../../../src/contract/scoring.ts';
import { scoringRulesQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { Loaded } from '../../parts/states.tsx';
import { useFormId, useWorkspaceId } from '../../shell/workspace.ts';
import { RuleGroupSection } from './rule-group.tsx';
import { groupRules, isChanged, type RulesView } from './rule-groups.ts';
import type { ScoringSettings, SettingsDraft } from './settings-draft.ts';

interface RulesCardProps extends SettingsDraft {
  readonly saved: ScoringSettings;
  readonly view: RulesView;
  readonly onView: (view: RulesView) => void;
}

/** Each rule can be turned off or get other points. An empty number means the default. */
export function RulesCard(props: RulesCardProps) {
  const query = useQuery(scoringRulesQuery(useWorkspaceId(), useFormId()));
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="rules-title">
      <Title order={2} size="h5" mb="sm" id="rules-title">
        Rules
      </Title>
      <Loaded query={query}>{({ items }) => <Rules {...props} rules={items} />}</Loaded>
    </Box>
  );
}

function Rules({ form, saved, view, onView, rules }: RulesCardProps & { rules: readonly ScoringRule[] }) {
  const hasError = ({ code }: ScoringRule) => form.errors[`weights.${code}`] !== undefined;
  const groups = groupRules(rules, saved, form.values, view, hasError);
  const shown = groups.filter((group) => group.shown.length > 0);
  const isFiltered = view.search.trim() !== '' || view.only !== null;
  const found = shown.reduce((sum, group) => sum + group.shown.length, 0);
  const changedCodes = rules.filter((rule) => isChanged(rule, form.values)).map(({ code }) => code);
  const isAllOpen = groups.every(({ family }) => view.open.has(family));
  const toggle = (family: string) => {
    const others = [...view.open].filter((open) => open !== family);
    onView({ ...view, open: new Set(view.open.has(family) ? others : [...others, family]) });
  };
  return (
    <Stack gap="sm">
      <Group gap="md">
        <TextInput
          aria-label="Search rules"
          placeholder="Code or text"
          leftSection={<Icon name="search" size={15} />}
          w={{ base: '100%', xs: 260 }}
          maxLength={100}
          value={view.search}
          onChange={(event) => onView({ ...view, search: event.currentTarget.value })}
        />
        <Switch
          label={`Only changed (${numberText(changedCodes.length)})`}
          checked={view.only !== null}
          onChange={(event) =>
            onView({ ...view, only: event.currentTarget.checked ? new Set(changedCodes) : null })
          }
        />
        {!isFiltered && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() =>
              onView({ ...view, open: new Set(isAllOpen ? [] : groups.map(({ family }) => family)) })
            }
          >
            {isAllOpen ? 'Collapse all' : 'Expand all'}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {isFiltered
          ? `${numberText(found)} of ${countText(rules.length, 'rule')}`
          : `${countText(rules.length, 'rule')}, ${numberText(changedCodes.length)} changed`}
      </Text>
      {isFiltered && found === 0 && (
        <Group gap="xs">
          <Text size="sm">
            {view.only?.size === 0 ? 'No rule is changed.' : 'No rules match this search.'}
          </Text>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => onView({ ...view, search: '', only: null })}
          >
            Show all rules
          </Button>
        </Group>
      )}
      <div>
        {(isFiltered ? shown : groups).map((group) => (
          <RuleGroupSection
            key={group.family}
            group={group}
            form={form}
            isOpen={isFiltered || group.shown.some(hasError) || view.open.has(group.family)}
            onToggle={isFiltered ? null : () => toggle(group.family)}
          />
        ))}
      </div>
    </Stack>
  );
}
