import { Stack } from '@mantine/core';
import { PasswordLinkCard } from './password-link-card.tsx';
import { PeopleCard } from './people-card.tsx';

export function PeopleTab() {
  return (
    <Stack gap="lg">
      <PeopleCard />
      <PasswordLinkCard />
    </Stack>
  );
}
