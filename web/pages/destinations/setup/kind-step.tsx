import { Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { subscribable } from '../../../../src/contract/destinations/terms.ts';
import { resetMailQuery } from '../../../api/queries.ts';
import type { ApiForm } from '../../../parts/api-form.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { type DestinationDraft, withKind } from '../draft/draft.ts';
import { kindIcons } from '../kinds/kind-icons.ts';
import { type Kind, kindNames } from '../kinds/kind-words.ts';

const kindTexts: Readonly<Record<Kind, string>> = {
  webhook:
    'A signed POST request for each lead, to a URL of yours or of an automation tool such as Zapier, Make or n8n.',
  email: 'An email for each lead, or one an hour or a day, to people who agreed to get them.',
  chat: 'A message for each lead, in a channel of Slack, Mattermost, Microsoft Teams or Discord.',
  hubspot: 'A contact for each lead, created or updated by its email address.',
};
const kinds = Object.keys(kindTexts) as Kind[];
const noEmailText =
  'Not available: this service does not send email. Its operator can connect a mail server with SMTP_URL.';

export function KindStep({ form }: { form: ApiForm<DestinationDraft> }) {
  // Whether password reset links are emailed says whether anything is.
  const mail = useQuery(resetMailQuery);
  const choose = (kind: Kind) => {
    const next = withKind(
      form.values,
      kind,
      subscribable(kind).map(({ type }) => type),
    );
    form.clearErrors();
    // A choice alone is nothing that could be lost.
    if (!form.isDirty()) form.setInitialValues(next);
    form.setValues(next);
  };
  return (
    <Radio.Group
      label="Where leads go"
      value={form.values.kind}
      onChange={(value) => choose(value as Kind)}
      error={form.errors.kind}
    >
      <Stack gap="sm" mt="xs" mb={form.errors.kind === undefined ? 0 : 'xs'} maw={640}>
        {kinds.map((kind) => (
          <KindCard
            key={kind}
            kind={kind}
            unavailable={kind === 'email' && mail.data?.mailed === false ? noEmailText : null}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** `unavailable` says why it cannot be chosen. */
function KindCard({ kind, unavailable }: { kind: Kind; unavailable: string | null }) {
  const textId = `kind-${kind}`;
  return (
    <Radio.Card
      value={kind}
      p="md"
      aria-label={kindNames[kind]}
      aria-describedby={textId}
      disabled={unavailable !== null}
    >
      <Group wrap="nowrap" align="flex-start">
        <Radio.Indicator disabled={unavailable !== null} />
        <div>
          <Group gap={6} mb={2}>
            <Icon name={kindIcons[kind]} />
            <Text size="sm" fw={580}>
              {kindNames[kind]}
            </Text>
          </Group>
          <Text size="sm" c="dimmed" id={textId}>
            {kindTexts[kind]}
          </Text>
          {unavailable !== null && (
            <Text size="sm" mt={4}>
              {unavailable}
            </Text>
          )}
        </div>
      </Group>
    </Radio.Card>
  );
}
