import { Button } from '@mantine/core';

interface MoreButtonProps {
  readonly label: string;
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
}

/** Below a list that comes in pages; nothing when all of it is there. */
export function MoreButton({ label, query }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      size="xs"
      variant="default"
      mt="sm"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {label}
    </Button>
  );
}
