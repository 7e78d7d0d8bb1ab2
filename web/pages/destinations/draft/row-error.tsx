import { Text } from '@mantine/core';
import type { FormErrors } from '@mantine/form';

/** What is wrong with a row or one of its members. The API counts rows, which the place of the message does, too. */
export function RowError({ errors, path }: { errors: FormErrors; path: string }) {
  const found = Object.entries(errors).find(([name]) => name === path || name.startsWith(`${path}.`));
  if (found === undefined) return null;
  return (
    <Text size="xs" c="var(--rejected-text)" mt={4} role="alert">
      {String(found[1])
        .replace(/^(?:Condition|Row) \d+: /, '')
        .replaceAll('`', '')}
    </Text>
  );
}

export function hasError(errors: FormErrors, path: string): boolean {
  return Object.keys(errors).some((name) => name === path || name.startsWith(`${path}.`));
}
