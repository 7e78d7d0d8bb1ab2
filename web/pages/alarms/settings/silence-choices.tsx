import { Checkbox, Group, NumberInput, Stack, Text } from '@mantine/core';
import { silentDaysMax } from '../../../../src/contract/alarms/terms.ts';
import type { AlarmRule } from '../alarm-rules.ts';

interface SilenceChoicesProps {
  readonly rule: AlarmRule;
  /** Whose silence, for screen readers. */
  readonly of: string;
  onChange(values: Partial<Pick<AlarmRule, 'sensitive' | 'silent_days'>>): void;
}

/** When a silence is told. */
export function SilenceChoices({ rule, of, onChange }: SilenceChoicesProps) {
  return (
    <Stack gap={6} mt={8}>
      <Checkbox
        size="xs"
        label="Sensitive: sooner, with about twice as many false alarms"
        aria-label={`Sensitive, ${of}`}
        checked={rule.sensitive}
        onChange={(event) => onChange({ sensitive: event.currentTarget.checked })}
      />
      <Group gap="xs">
        <Text size="sm">Tell me after</Text>
        <NumberInput
          size="xs"
          w={76}
          aria-label={`Days without a lead, ${of}`}
          placeholder="–"
          min={1}
          max={silentDaysMax}
          allowDecimal={false}
          allowNegative={false}
          value={rule.silent_days ?? ''}
          onChange={(value) => onChange({ silent_days: typeof value === 'number' ? value : null })}
        />
        <Text size="sm">days without a lead</Text>
      </Group>
    </Stack>
  );
}
