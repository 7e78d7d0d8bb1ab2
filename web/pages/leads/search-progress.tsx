import { Button, Group, Loader, Text } from '@mantine/core';
import { exactTime } from '../../parts/time.tsx';

interface SearchProgressProps {
  readonly searchedTo: string;
  readonly isSearching: boolean;
  onSearchOn(): void;
}

/** How far a search has got, while it goes on and when it waits to be told to. */
export function SearchProgress({ searchedTo, isSearching, onSearchOn }: SearchProgressProps) {
  return (
    <Group gap="sm" role="status">
      {isSearching && <Loader size={14} aria-hidden="true" />}
      <Text size="sm" c="dimmed">
        {isSearching ? 'Searching. ' : ''}Looked at all leads back to {exactTime(searchedTo)}
        {isSearching ? ' …' : '; older ones may match too.'}
      </Text>
      {!isSearching && (
        <Button size="compact-sm" variant="default" onClick={onSearchOn}>
          Search further back
        </Button>
      )}
    </Group>
  );
}
