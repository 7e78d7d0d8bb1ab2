import { Stack } from '@mantine/core';
import { Settled } from '../../parts/settled.tsx';
import { FormerSlugCard } from './former-slug-card.tsx';
import { WorkspaceCreationCard } from './workspace-creation-card.tsx';

export function SettingsTab() {
  return (
    <Settled>
      <Stack gap="lg">
        <WorkspaceCreationCard />
        <FormerSlugCard />
      </Stack>
    </Settled>
  );
}
