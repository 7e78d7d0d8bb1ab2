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
import type { SettingsDraft } from './settings-draft.ts';

/** Addresses, domains and keywords that this form always or never accepts as clean. */
export function ListsCard({ form }: SettingsDraft) {
  const isOwner = useIsOwner();
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
        <TagsInput {...look} label="Allowed email addresses" {...form.getInputProps('allow.emails')} />
        <TagsInput {...look} label="Allowed domains" {...form.getInputProps('allow.domains')} />
        <TagsInput {...look} label="Blocked email addresses" {...form.getInputProps('block.emails')} />
        <TagsInput {...look} label="Blocked domains" {...form.getInputProps('block.domains')} />
        <TagsInput
          {...look}
          splitChars={[',']}
          label="Honeypot fields"
          description="Hidden from people, so only bots fill them in."
          {...form.getInputProps('honeypot')}
        />
        <TagsInput
          {...look}
          label="Expected countries"
          description="Two-letter codes, such as DE."
          {...form.getInputProps('expect.countries')}
        />
      </SimpleGrid>
      <Keywords form={form} isReadOnly={!isOwner} />
    </Box>
  );
}

function Keywords({ form, isReadOnly }: SettingsDraft & { isReadOnly: boolean }) {
  return (
    <Stack gap="xs" mt="md">
      <Text size="sm" fw={500}>
        Blocked keywords and their points
      </Text>
      {form.values.block.keywords.map((_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position; the text is being edited.
        <Group key={i} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            flex={1}
            aria-label={`Keyword ${i + 1}`}
            placeholder="casino*"
            readOnly={isReadOnly}
            {...form.getInputProps(`block.keywords.${i}.text`)}
          />
          <NumberInput
            w={100}
            aria-label={`Points for keyword ${i + 1}`}
            readOnly={isReadOnly}
            {...form.getInputProps(`block.keywords.${i}.points`)}
            onChange={(points) =>
              typeof points === 'number' && form.setFieldValue(`block.keywords.${i}.points`, points)
            }
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            disabled={isReadOnly}
            aria-label={`Remove keyword ${i + 1}`}
            onClick={() => form.removeListItem('block.keywords', i)}
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
          onClick={() => form.insertListItem('block.keywords', { text: '', points: 20 })}
        >
          Add keyword
        </Button>
      )}
    </Stack>
  );
}
