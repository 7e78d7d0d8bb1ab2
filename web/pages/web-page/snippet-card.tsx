import { Box, Checkbox, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { BrowserSettings } from '../../../src/contract/browser/settings.ts';
import { isCaptcha } from '../../../src/contract/browser/terms.ts';
import type { Form } from '../../../src/contract/forms/form.ts';
import { publicUrl } from '../../api/page-settings.ts';
import { CodeBlock, CopyIcon } from '../../parts/copy.tsx';
import { protectionNames } from './protection-input.tsx';
import { htmlSnippet, moduleSnippet, reactSnippet } from './snippets.ts';

const kinds = {
  html: { label: 'HTML', snippet: htmlSnippet },
  module: { label: 'Module', snippet: moduleSnippet },
  react: { label: 'React', snippet: reactSnippet },
};
type Kind = keyof typeof kinds;

interface SnippetCardProps {
  readonly form: Form;
  readonly settings: BrowserSettings;
  readonly publicKey: string;
}

/** What to put in the page. */
export function SnippetCard({ form, settings, publicKey }: SnippetCardProps) {
  const { sdk, protection } = settings;
  const [kind, setKind] = useState<Kind>('html');
  const [wantsPinned, setPinned] = useState(false);
  // Browsers check the hash of a script, but not of an import.
  const canPin = kind === 'html' && sdk.hashed_url !== null && sdk.integrity !== null;
  const { label, snippet } = kinds[kind];
  const isPinned = canPin && wantsPinned;
  const code = snippet({ url: publicUrl, publicKey, settings, isPinned, fields: form.fields });
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="snippet-title">
      <Title order={2} size="h5" mb="xs" id="snippet-title">
        Code for your page
      </Title>
      <Stack gap="sm">
        <PublicKey value={publicKey} />
        <Group gap="sm" justify="space-between">
          <SegmentedControl
            aria-label="Kind of code"
            size="xs"
            data={Object.entries(kinds).map(([value, each]) => ({ value, label: each.label }))}
            value={kind}
            onChange={(value) => setKind(value as Kind)}
          />
          {canPin && (
            <Checkbox
              size="xs"
              label="Pin the version"
              checked={wantsPinned}
              onChange={(event) => setPinned(event.currentTarget.checked)}
            />
          )}
        </Group>
        <CodeBlock code={code} label={`${label} code`} maxHeight={420} />
        <Text size="xs" c="dimmed">
          {isPinned
            ? 'The page loads exactly this version of the SDK, checked by its hash. Copy the code again to get a newer one.'
            : 'The page loads the newest version of the SDK.'}{' '}
          {kind === 'html' && settings.thanks_url === null && (
            <>
              Once the lead is accepted, the form is emptied; add <code>data-next="/thanks"</code> to go to
              another page instead.
            </>
          )}
          {kind === 'html' && (
            <>
              {' '}
              If it is not sent, the form says so in the language of the page; <code>data-error</code>{' '}
              replaces the text.
            </>
          )}
          {kind !== 'html' &&
            isCaptcha(protection) &&
            `Put the widget of ${protectionNames[protection]} in the form, as its documentation says; the SDK sends its response.`}
        </Text>
      </Stack>
    </Box>
  );
}

function PublicKey({ value }: { value: string }) {
  return (
    <div>
      <Group gap="xs" wrap="nowrap" className="code" align="center" style={{ paddingBlock: 8 }}>
        <Text ff="monospace" size="sm" className="wrap" flex={1}>
          {value}
        </Text>
        <CopyIcon value={value} label="Copy public key" />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        The public key names this form in your page. It is not a secret, and it stays the same.
      </Text>
    </div>
  );
}
