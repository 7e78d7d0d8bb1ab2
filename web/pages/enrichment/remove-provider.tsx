import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { enrichment } from '../../api/calls.ts';
import { enrichmentQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/confirm.tsx';

export function RemoveProvider({ workspaceId }: { workspaceId: string }) {
  const [isAsking, ask] = useDisclosure();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => enrichment.removeProvider(workspaceId),
    onSuccess: () => {
      ask.close();
      return queryClient.invalidateQueries({ queryKey: enrichmentQuery(workspaceId).queryKey });
    },
  });
  return (
    <>
      <Button variant="subtle" color="red" onClick={ask.open}>
        Remove
      </Button>
      <Confirm
        opened={isAsking}
        title="Remove your provider?"
        action="Remove provider"
        mutation={remove}
        onClose={ask.close}
      >
        It is not asked any more, and its secrets are deleted. What it has said about leads stays with them.
      </Confirm>
    </>
  );
}
