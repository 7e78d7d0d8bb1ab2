import { Anchor, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { RejectedRequest } from '../../../../src/contract/diagnostics/rejected-request.ts';
import { formsQuery } from '../../../api/queries.ts';
import { LanguagePicker, languageTitle, useLanguage } from '../../../parts/code/language.tsx';
import { CodeBlock } from '../../../parts/copy.tsx';
import { sampleOf } from '../../../parts/samples.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { correctedLines, topicOf } from './corrected-lines.ts';

/** The corrected lines in the sender's language, from samples that are tested. Web pages use the SDK. */
export function SenderFix({ request: { reason, surface, form_id } }: { request: RejectedRequest }) {
  const [language] = useLanguage();
  const [isWhole, { toggle }] = useDisclosure();
  const form = useQuery(formsQuery(useWorkspaceId())).data?.items.find(({ id }) => id === form_id);
  const topic = topicOf(reason);
  if (topic === undefined || surface === 'browser') return null;
  const values = form === undefined ? {} : { LEADGATE_SLUG: form.slug };
  const sample = sampleOf(surface === 'webhook' ? 'signed' : 'token', language, values);
  const code = isWhole ? sample : correctedLines(sample, topic);
  return (
    <Stack gap="xs" w="100%">
      <LanguagePicker />
      <CodeBlock code={code} label={`${languageTitle(language)} lines`} maxHeight={420} />
      <Anchor component="button" type="button" size="sm" ta="left" aria-expanded={isWhole} onClick={toggle}>
        {isWhole ? 'Show only the lines that matter' : 'Show the whole program'}
      </Anchor>
    </Stack>
  );
}
