import { Box, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { headerPrefix, ingestUrl } from '../../api/page-settings.ts';
import { formQuery } from '../../api/queries.ts';
import { CopyIcon } from '../../parts/copy.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Samples } from '../../parts/samples.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { useFormId, useWorkspaceId } from '../../shell/workspace.ts';
import { DriftCard } from '../alarms/watching/drift-card.tsx';
import { HeldBanners, secretReasons } from '../held/banners/held-banners.tsx';
import { ReplayCard } from './replay-card.tsx';
import { SecretCard } from './secret-card.tsx';
import { DeliverySections } from './sections.tsx';
import { TestLeadCard } from './test-lead-card.tsx';

export function DeliverySettings() {
  const query = useQuery(formQuery(useWorkspaceId(), useFormId()));
  return (
    <Loaded query={query}>
      {(form) => (
        <>
          <DeliverySections />
          <HeldBanners reasons={secretReasons} formId={form.id} mb="lg" />
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Stack gap="lg">
                <WebhookUrl form={form} />
                <Box className="panel" p="lg">
                  <Title order={2} size="h5">
                    Sample code
                  </Title>
                  <Text size="sm" c="dimmed" mb="sm">
                    The signature is the HMAC-SHA256 of <code>timestamp.body</code>, keyed with the secret, in
                    hex. Sign the exact bytes you send, and send them within five minutes. The code reads the
                    secret from the variable <code>LEADGATE_SECRET</code>.
                  </Text>
                  <Samples surface="signed" slug={form.slug} />
                </Box>
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Stack gap="lg">
                <SecretCard form={form} />
                <DriftCard formId={form.id} />
                <ReplayCard form={form} />
                <TestLeadCard form={form} />
              </Stack>
            </Grid.Col>
          </Grid>
        </>
      )}
    </Loaded>
  );
}

function WebhookUrl({ form }: { form: Form }) {
  const url = ingestUrl(form.slug);
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="xs">
        Webhook URL
      </Title>
      <Group gap="xs" wrap="nowrap" className="code" align="center" style={{ paddingBlock: 8 }}>
        <Box visibleFrom="xs">
          <Tag tone="accent">POST</Tag>
        </Box>
        <Text ff="monospace" size="sm" className="wrap" flex={1}>
          {url}
        </Text>
        <CopyIcon value={url} label="Copy webhook URL" />
      </Group>
      <Text size="sm" c="dimmed" mt="sm">
        Each request carries <code>{headerPrefix}Timestamp</code> and <code>{headerPrefix}Signature</code>. A
        sender that can keep a secret but cannot sign uses a{' '}
        <TextLink to="/w/$workspaceId/tokens" params={{ workspaceId: form.workspace_id }} size="sm">
          token
        </TextLink>{' '}
        instead. If a request is rejected, the{' '}
        <TextLink
          to="/w/$workspaceId/debugger"
          params={{ workspaceId: form.workspace_id }}
          search={{ form: form.id }}
          size="sm"
        >
          signature debugger
        </TextLink>{' '}
        shows why.
      </Text>
    </Box>
  );
}
