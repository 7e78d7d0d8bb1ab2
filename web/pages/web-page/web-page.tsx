import { Grid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { BrowserSettings } from '../../../src/contract/browser/settings.ts';
import type { Form } from '../../../src/contract/forms/form.ts';
import { browserActivityQuery, browserQuery, formQuery } from '../../api/queries.ts';
import { Loaded } from '../../parts/states.tsx';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { DeliverySections } from '../delivery-settings/sections.tsx';
import { DummyKeysCard } from './dummy-keys-card.tsx';
import { FunnelCard } from './funnel-card.tsx';
import { LiveCheck } from './live-check.tsx';
import { MintSecretCard } from './mint-secret-card.tsx';
import { SettingsCard } from './settings-card.tsx';
import { SnippetCard } from './snippet-card.tsx';
import { TokensCard } from './tokens-card.tsx';

/** How web pages send leads to a form. Members may read it, because they build the pages. */
export function WebPage() {
  const workspaceId = useWorkspaceId();
  const formId = useFormId();
  const form = useQuery(formQuery(workspaceId, formId));
  const settings = useQuery(browserQuery(workspaceId, formId));
  return (
    <>
      <DeliverySections />
      <Loaded query={form}>
        {(loaded) => (
          <Loaded query={settings}>
            {(stored) => <Parts key={formId} form={loaded} settings={stored} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

function Parts({ form, settings }: { form: Form; settings: BrowserSettings }) {
  const isOwner = useIsOwner();
  const activity = useQuery(browserActivityQuery(form.workspace_id, form.id)).data;
  const { public_key, enabled, epoch, dummy_keys } = settings;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="lg">
          <SettingsCard form={form} settings={settings} />
          {public_key !== null && <SnippetCard form={form} settings={settings} publicKey={public_key} />}
          {public_key !== null && <FunnelCard />}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="lg">
          <LiveCheck isEnabled={enabled} lastSeen={activity?.last_seen ?? null} />
          <DummyKeysCard keys={dummy_keys} />
          {isOwner && public_key !== null && <MintSecretCard form={form} settings={settings} />}
          {isOwner && public_key !== null && <TokensCard form={form} epoch={epoch} />}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
