import { useQuery } from '@tanstack/react-query';
import type { SignatureDebugInput } from '../../../src/contract/signature-debug.ts';
import { api } from '../../api/client.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

interface Asked {
  readonly formId: string | undefined;
  /** Null until there is something to debug. */
  readonly question: SignatureDebugInput | null;
  /** A higher number asks the same question again. */
  readonly nth: number;
}

/**
 * The verdict on one request. It belongs to its question: another question starts without a verdict, and a response that
 * arrives late is dropped. Nothing is kept for later, because a secret may change and a question may contain one.
 */
export function useDebug({ formId, question, nth }: Asked) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['signature-debug', workspaceId, formId, question, nth],
    queryFn: ({ signal }) =>
      api('POST', '/workspaces/:workspace_id/forms/:form_id/signature-debug', {
        params: { workspace_id: workspaceId, form_id: formId ?? '' },
        body: question ?? { body: '' },
        signal,
      }),
    enabled: formId !== undefined && question !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}
