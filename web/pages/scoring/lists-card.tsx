import {
  ActionIcon,
  Box,
  Button,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { Icon } from '../../parts/icons.tsx';
import { useIsOwner } from '../../shell/workspace.ts';
import type { ScoringSettings, SettingsDraft } from './settings-draft.ts';

/** Addresses, domains and words that this form always or never wants. */
export function ListsCard({ settings, change }: SettingsDraft) {
  const isOwner = useIsOwner();
  const { allow, block } = settings;
  const look = {
    disabled: !isOwner,
    clearable: true,
    splitChars: [',', ' ', ';'],
    placeholder: 'Type and press Enter',
  };
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="sm">
        Lists
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TagsInput
          {...look}
          label="Always fine: addresses"
          value={allow.emails}
          onChange={(emails) => change({ allow: { ...allow, emails } })}
        />
        <TagsInput
          {...look}
          label="Always fine: domains"
          value={allow.domains}
          onChange={(domains) => change({ allow: { ...allow, domains } })}
        />
        <TagsInput
          {...look}
          label="Blocked: addresses"
          value={block.emails}
          onChange={(emails) => change({ block: { ...block, emails } })}
        />
        <TagsInput
          {...look}
          label="Blocked: domains"
          value={block.domains}
          onChange={(domains) => change({ block: { ...block, domains } })}
        />
        <TagsInput
          {...look}
          splitChars={[',']}
          label="Hidden fields"
          description="People never see them, so only robots fill them."
          value={settings.honeypot}
          onChange={(honeypot) => change({ honeypot })}
        />
        <TagsInput
          {...look}
          label="Countries you expect"
          description="Codes of two letters, such as DE."
          value={settings.expect.countries}
          onChange={(countries) => change({ expect: { ...settings.expect, countries } })}
        />
      </SimpleGrid>
      <Keywords
        keywords={block.keywords}
        isReadOnly={!isOwner}
        onChange={(keywords) => change({ block: { ...block, keywords } })}
      />
    </Box>
  );
}

type Keyword = ScoringSettings['block']['keywords'][number];

interface KeywordsProps {
  readonly keywords: readonly Keyword[];
  readonly isReadOnly: boolean;
  onChange(keywords: Keyword[]): void;
}

function Keywords({ keywords, isReadOnly, onChange }: KeywordsProps) {
  const set = (place: number, values: Partial<Keyword>) =>
    onChange(keywords.map((keyword, i) => (i === place ? { ...keyword, ...values } : keyword)));
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm" fw={500}>
        Words and their points
      </Text>
      {keywords.map((keyword, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; the text is what is being typed.
        <Group key={i} gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={`Word ${i + 1}`}
            placeholder="casino*"
            readOnly={isReadOnly}
            value={keyword.text}
            onChange={(event) => set(i, { text: event.currentTarget.value })}
          />
          <NumberInput
            w={100}
            aria-label={`Points of word ${i + 1}`}
            readOnly={isReadOnly}
            value={keyword.points}
            onChange={(points) => typeof points === 'number' && set(i, { points })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={isReadOnly}
            aria-label={`Remove word ${i + 1}`}
            onClick={() => onChange(keywords.filter((_, other) => other !== i))}
          >
            <Icon name="trash" size={15} />
          </ActionIcon>
        </Group>
      ))}
      {!isReadOnly && (
        <Button
          size="xs"
          variant="default"
          w="fit-content"
          leftSection={<Icon name="plus" size={13} />}
          onClick={() => onChange([...keywords, { text: '', points: 20 }])}
        >
          Add a word
        </Button>
      )}
    </Stack>
  );
}
