import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { ApiProblem, fileAddress } from '../../../api/client.ts';
import { CodeBlock } from '../../../parts/copy.tsx';
import { countText, numberText } from '../../../parts/numbers.ts';
import { Loaded } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';

const shownCharactersMax = 20_000;

/** What arrived, byte for byte: shown as text, and to be downloaded as it is. */
export function LeadBody({ lead }: { lead: Lead }) {
  const params = { workspace_id: useWorkspaceId(), submission_id: lead.submission_id };
  const addressFor = (purpose: 'view' | 'download') =>
    fileAddress('/workspaces/:workspace_id/leads/:submission_id/body', { params, query: { purpose } });
  const query = useQuery({
    queryKey: ['leads', 'body', lead.submission_id],
    queryFn: () => bytesAt(addressFor('view')),
    // The bytes never change, and each read adds an entry to the audit log.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={query} rows={2}>
      {(bytes) => {
        const text = new TextDecoder().decode(bytes);
        return (
          <Stack gap="sm">
            <Group justify="space-between">
              <Text size="sm" c="dimmed" className="numbers">
                {countText(bytes.length, 'byte')}
                {text.length > shownCharactersMax
                  ? `; the first ${numberText(shownCharactersMax)} characters are shown`
                  : ''}
              </Text>
              <Anchor href={addressFor('download')} download size="sm">
                Download
              </Anchor>
            </Group>
            <CodeBlock code={text.slice(0, shownCharactersMax)} label="exact bytes" maxHeight={460} />
            <Text size="xs" c="dimmed" className="wrap">
              Submission ID {lead.submission_id}
            </Text>
          </Stack>
        );
      }}
    </Loaded>
  );
}

async function bytesAt(address: string): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) throw new ApiProblem(response.status, { detail: 'The exact bytes could not be loaded.' });
  return new Uint8Array(await response.arrayBuffer());
}
