import { Stack } from '@mantine/core';
import { FormerSlugCard } from './former-slug-card.tsx';
import { WorkspaceCreationCard } from './workspace-creation-card.tsx';

export function SettingsTab() {
  return (
    <Stack gap="lg">
      <WorkspaceCreationCard />
      <FormerSlugCard />
    </Stack>
  );
}
