import { Anchor, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { HeldSelection } from '../../../api/held-queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { countText } from '../../../parts/numbers.ts';
import { useHeldSearch } from '../held-address.ts';
import { AdmitDialog } from './admit-dialog.tsx';
import { DiscardDialog } from './discard-dialog.tsx';

interface SelectionBarProps {
  readonly ids: readonly string[];
  /** All that match the filters, also those that are not loaded. */
  readonly isAll: boolean;
  readonly hasMore: boolean;
  onChooseAll(): void;
  onClear(): void;
}

/** Always there, so that the list does not move when the first row is selected. */
export function SelectionBar({ ids, isAll, hasMore, onChooseAll, onClear }: SelectionBarProps) {
  const { matching, isFiltered, change } = useHeldSearch();
  const [isAdmitting, admitting] = useDisclosure();
  const [isDiscarding, discarding] = useDisclosure();
  const isEmpty = !isAll && ids.length === 0;
  const selection: HeldSelection = isAll ? matching : { ids: [...ids] };
  const onStarted = (decision: string) => {
    onClear();
    change({ decision });
  };
  const allText = isFiltered ? 'all that match' : 'all';
  return (
    <Group gap="xs" mb="xs" justify="space-between" role="group" aria-label="Selection">
      <Group gap="sm">
        <Text size="sm" role="status">
          {isAll ? `${isFiltered ? 'All that match are' : 'All are'} selected` : selectedText(ids.length)}
        </Text>
        {!isAll && (hasMore || isEmpty) && (
          <Anchor component="button" size="sm" onClick={onChooseAll}>
            Select {allText}
          </Anchor>
        )}
        {!isEmpty && (
          <Anchor component="button" size="sm" onClick={onClear}>
            Clear selection
          </Anchor>
        )}
      </Group>
      <Group gap="xs">
        <Button
          size="xs"
          disabled={isEmpty}
          leftSection={<Icon name="check" size={14} />}
          onClick={admitting.open}
        >
          Admit…
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isEmpty}
          leftSection={<Icon name="trash" size={14} />}
          onClick={discarding.open}
        >
          Discard…
        </Button>
      </Group>
      <AdmitDialog
        opened={isAdmitting}
        selection={selection}
        onStarted={onStarted}
        onClose={admitting.close}
      />
      <DiscardDialog
        opened={isDiscarding}
        selection={selection}
        onStarted={onStarted}
        onClose={discarding.close}
      />
    </Group>
  );
}

const selectedText = (count: number) =>
  count === 0 ? 'Nothing selected' : `${countText(count, 'request')} selected`;
