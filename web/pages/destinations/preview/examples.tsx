import { ActionIcon, Group, Tabs } from '@mantine/core';
import { useState } from 'react';
import type { DryRun } from '../../../../src/contract/destinations/destinations.ts';
import { indentJson } from '../../../parts/code/indent-json.ts';
import { CodeBlock } from '../../../parts/copy.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { TextLink } from '../../../parts/links.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import type { DestinationDraft } from '../draft/draft.ts';
import { MessagePreview } from './message-preview.tsx';

type Example = DryRun['examples'][number];

interface ExamplesProps {
  readonly examples: readonly Example[];
  readonly draft: DestinationDraft;
}

/** One at a time, because each may be long. */
export function Examples({ examples, draft }: ExamplesProps) {
  const workspaceId = useWorkspaceId();
  const [chosen, setChosen] = useState(0);
  const place = Math.min(chosen, examples.length - 1);
  const example = examples[place];
  if (example === undefined) return null;
  const buttons = { variant: 'subtle', color: 'gray', size: 'sm' } as const;
  return (
    <div>
      <Group justify="space-between" mb={4} gap="xs">
        <TextLink
          to="/w/$workspaceId/leads/$leadId"
          params={{ workspaceId, leadId: example.submission_id }}
          target="_blank"
          size="xs"
        >
          Lead {place + 1} of {examples.length}
        </TextLink>
        {examples.length > 1 && (
          <Group gap={0}>
            <ActionIcon
              {...buttons}
              disabled={place === 0}
              onClick={() => setChosen(place - 1)}
              aria-label="Previous example"
            >
              <Icon name="left" size={14} />
            </ActionIcon>
            <ActionIcon
              {...buttons}
              disabled={place === examples.length - 1}
              onClick={() => setChosen(place + 1)}
              aria-label="Next example"
            >
              <Icon name="right" size={14} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      <Shown example={example} draft={draft} />
    </div>
  );
}

interface ShownProps {
  readonly example: NonNullable<DryRun['sample']>;
  readonly draft: DestinationDraft;
}

/** What people would read, and what is behind it; or what a program would. */
export function Shown({ example: { body, message }, draft }: ShownProps) {
  const code = (
    <CodeBlock
      code={indentJson(body)}
      label="body that would be sent"
      maxHeight={360}
      wraps={message !== null}
    />
  );
  if (message === null) return code;
  return (
    <Tabs defaultValue="message" keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="message">Message</Tabs.Tab>
        <Tabs.Tab value="body">{draft.kind === 'email' ? 'Text' : 'JSON'}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="message">
        <MessagePreview message={message} draft={draft} />
      </Tabs.Panel>
      <Tabs.Panel value="body">{code}</Tabs.Panel>
    </Tabs>
  );
}
