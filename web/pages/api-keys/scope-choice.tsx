import { Checkbox, Input, Select, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { offeredScopes, type Scope, scopeTexts } from '../../../src/contract/workspaces/scopes.ts';

/** What most programs need. */
const presets: readonly {
  readonly value: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
}[] = [
  { value: 'read', label: 'Read leads', scopes: ['leads:read'] },
  {
    value: 'tools',
    label: 'Zapier, Make, n8n',
    scopes: ['leads:read', 'forms:read', 'destinations:read', 'destinations:write'],
  },
  { value: 'everything', label: 'Everything a key can do', scopes: offeredScopes },
];
const ownChoice = { value: 'own', label: 'Custom' };

interface ScopeChoiceProps {
  readonly value: readonly Scope[];
  readonly error: ReactNode;
  onChange(scopes: readonly Scope[]): void;
}

/** A preset, or single scopes; each follows the other. */
export function ScopeChoice({ value, error, onChange }: ScopeChoiceProps) {
  const isChosen = (scopes: readonly Scope[]) =>
    scopes.length === value.length && scopes.every((scope) => value.includes(scope));
  const preset = presets.find(({ scopes }) => isChosen(scopes)) ?? ownChoice;
  return (
    <Stack gap="xs">
      <Select
        label="Permissions"
        description="They cannot be changed later."
        data={[
          ...presets.map(({ value, label }) => ({ value, label })),
          // Chosen by changing a scope below.
          { ...ownChoice, disabled: preset !== ownChoice },
        ]}
        allowDeselect={false}
        value={preset.value}
        onChange={(chosen) => {
          const found = presets.find(({ value }) => value === chosen);
          if (found !== undefined) onChange(found.scopes);
        }}
      />
      <Checkbox.Group
        aria-label="Scopes"
        value={[...value]}
        onChange={(chosen) => onChange(offeredScopes.filter((scope) => chosen.includes(scope)))}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
          {offeredScopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scope} description={scopeTexts[scope]} size="sm" />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  );
}
