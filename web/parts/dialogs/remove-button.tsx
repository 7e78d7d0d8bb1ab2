import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Confirm } from './confirm.tsx';

interface RemoveButtonProps {
  readonly title: string;
  readonly action: string;
  remove(): Promise<unknown>;
  /** What to fetch again afterwards. */
  readonly queryKey: QueryKey;
  /** What will happen, in full. */
  readonly children: ReactNode;
}

/** Asks before it removes. */
export function RemoveButton({ title, action, remove, queryKey, children }: RemoveButtonProps) {
  const [isAsking, ask] = useDisclosure();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      ask.close();
      return queryClient.invalidateQueries({ queryKey });
    },
  });
  return (
    <>
      <Button variant="subtle" color="red" onClick={ask.open}>
        Remove
      </Button>
      <Confirm opened={isAsking} title={title} action={action} mutation={mutation} onClose={ask.close}>
        {children}
      </Confirm>
    </>
  );
}
