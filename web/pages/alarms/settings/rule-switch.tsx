import { Switch } from '@mantine/core';

interface RuleSwitchProps {
  readonly label: string;
  readonly description: string;
  readonly isOn: boolean;
  onChange(isOn: boolean): void;
}

/** A row that can be clicked as a whole, with the switch at its end. */
export function RuleSwitch({ label, description, isOn, onChange }: RuleSwitchProps) {
  return (
    <Switch
      label={label}
      // Otherwise the description is part of the name.
      aria-label={label}
      description={description}
      labelPosition="left"
      flex={1}
      className="rule-switch"
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
