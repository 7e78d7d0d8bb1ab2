import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { BrowserSettings } from '../../../src/contract/browser/settings.ts';
import { CopyIcon } from '../../parts/copy.tsx';

type Kind = keyof BrowserSettings['dummy_keys'];

const kinds: Readonly<Record<Kind, { readonly name: string; readonly text: string }>> = {
  accepted: { name: 'Always accepted', text: 'Every submission gets an ID, as a lead does.' },
  rejected: { name: 'Always rejected', text: 'Every submission gets the response of a rejected one.' },
  spent: {
    name: 'No token',
    text: 'The page never gets a token, as if each challenge had been used before.',
  },
};

/** For the tests of a page: what a page sees, without a lead. */
export function DummyKeysCard({ keys }: { keys: BrowserSettings['dummy_keys'] }) {
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="dummy-title">
      <Title order={2} size="h5" mb="xs" id="dummy-title">
        Dummy keys
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        For the automatic tests of your page. Use one instead of the public key, from any origin: nothing is
        stored and nothing counts towards your limits.
      </Text>
      <Stack gap={0}>
        {(Object.keys(kinds) as Kind[]).map((kind) => (
          <Box key={kind} className="field" py="xs">
            <Text size="sm" fw={560}>
              {kinds[kind].name}
            </Text>
            <Text size="sm" c="dimmed">
              {kinds[kind].text}
            </Text>
            <Group gap={4} wrap="nowrap">
              <Text size="xs" ff="monospace" className="wrap">
                {keys[kind]}
              </Text>
              <CopyIcon value={keys[kind]} label={`Copy dummy key: ${kinds[kind].name.toLowerCase()}`} />
            </Group>
          </Box>
        ))}
      </Stack>
    </Box>
  );
}
