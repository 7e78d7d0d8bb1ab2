import type { UseFormReturnType } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { hubspotPropertiesQuery } from '../../../../api/destination-queries.ts';
import { fieldErrors } from '../../../../parts/api-form.tsx';
import { useWorkspaceId } from '../../../../shell/workspace.ts';
import type { DestinationDraft } from '../../draft/draft.ts';

/** The properties of the account that the token is of, once someone has loaded them. */
export function useProperties(form: UseFormReturnType<DestinationDraft>, destinationId: string | null) {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  const typed = form.values.token?.trim() ?? '';
  const token = typed === '' && destinationId !== null ? null : typed;
  const options = hubspotPropertiesQuery(workspaceId, destinationId, token);
  const { data, error, isFetching } = useQuery({ ...options, enabled: false });
  return {
    properties: data?.properties ?? null,
    error,
    isLoading: isFetching,
    /** False without a token. */
    canLoad: token !== '',
    /** Resolves to whether the token can be used, as far as that is known. */
    async load(): Promise<boolean> {
      try {
        await queryClient.fetchQuery(options);
        return true;
      } catch (failure) {
        const wrong = fieldErrors(failure as Error, undefined, form.values).find(
          ([path]) => path === 'token',
        );
        if (wrong !== undefined) form.setFieldError('token', wrong[1]);
        return wrong === undefined;
      }
    },
  };
}
