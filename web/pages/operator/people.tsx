import { Stack } from '@mantine/core';
import { Settled } from '../../parts/settled.tsx';
import { PasswordLinkCard } from './password-link-card.tsx';
import { PeopleCard } from './people-card.tsx';

export function PeopleTab() {
  return (
    <Settled>
      <Stack gap="lg">
        <PeopleCard />
        <PasswordLinkCard />
      </Stack>
    </Settled>
  );
}
