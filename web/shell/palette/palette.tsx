import './palette.css';
import { Box, Kbd, Loader, Modal, ScrollArea, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Icon } from '../../parts/icons.tsx';
import { matchingItems, type PaletteItem } from './items.ts';
import { useItems } from './use-items.ts';
import { useLeadItems } from './use-lead-items.ts';

interface PaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

/** One box for pages, forms, leads and actions. */
export function Palette({ opened, onClose, onShortcuts }: PaletteProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Search and commands"
      classNames={{ header: 'only-read', body: 'palette' }}
      withCloseButton={false}
      size={580}
      padding={0}
      centered={false}
      yOffset="10dvh"
    >
      <Content onClose={onClose} onShortcuts={onShortcuts} />
    </Modal>
  );
}

function Content({ onClose, onShortcuts }: Omit<PaletteProps, 'opened'>) {
  const [query, setQuery] = useState('');
  const [activeId, setActiveId] = useState<string>();
  const listId = useId();
  const leads = useLeadItems(query);
  const items = matchingItems([...leads.items, ...useItems(onShortcuts)], query);
  // Leads that arrive while someone moves through the list do not move the choice.
  const place = Math.max(
    0,
    items.findIndex(({ id }) => id === activeId),
  );
  const active = items[place];
  const optionId = (index: number) => `${listId}-${index}`;
  const activeOption = active && optionId(place);
  useEffect(() => {
    if (activeOption !== undefined)
      document.getElementById(activeOption)?.scrollIntoView({ block: 'nearest' });
  }, [activeOption]);
  const choose = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) setActiveId(items.at((place + step) % items.length)?.id);
    else if (event.key === 'Enter') choose(active);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        variant="unstyled"
        size="lg"
        placeholder="Search or type a command"
        aria-label="Search pages, forms, leads and actions"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={activeOption}
        autoComplete="off"
        maxLength={200}
        leftSection={<Icon name="search" size={18} />}
        rightSection={leads.isSearching ? <Loader size={16} aria-label="Searching leads" /> : undefined}
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setActiveId(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <ScrollArea.Autosize mah="min(420px, 60dvh)" className="palette-list">
        <Box role="listbox" id={listId} aria-label="Results" p={6}>
          {items.map((item, index) => (
            <Box key={`${item.group} ${item.id}`} role="presentation">
              {items[index - 1]?.group !== item.group && (
                <Text size="xs" c="dimmed" px={10} pt={8} pb={4} role="presentation">
                  {item.group}
                </Text>
              )}
              <Option
                id={optionId(index)}
                item={item}
                isActive={item === active}
                onChoose={() => choose(item)}
                onPoint={() => setActiveId(item.id)}
              />
            </Box>
          ))}
        </Box>
        {leads.isFailed && (
          <Text size="sm" c="dimmed" p="md" role="status">
            Leads could not be searched.
          </Text>
        )}
        {items.length === 0 && (
          <Text size="sm" c="dimmed" p="md" role="status">
            Nothing found for “{query}”.
          </Text>
        )}
      </ScrollArea.Autosize>
      <Text size="xs" c="dimmed" px="md" py={8} visibleFrom="xs">
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> to move, <Kbd size="xs">Enter</Kbd> to open,{' '}
        <Kbd size="xs">Esc</Kbd> to close
      </Text>
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isActive: boolean;
  readonly onChoose: () => void;
  readonly onPoint: () => void;
}

function Option({ id, item, isActive, onChoose, onPoint }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus, and takes the keys.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="palette-option"
      onClick={onChoose}
      onMouseMove={isActive ? undefined : onPoint}
    >
      <Icon name={item.icon} size={16} />
      <span className="cut">{item.label}</span>
      {item.detail !== undefined && (
        <Text component="span" size="xs" c="dimmed" className="cut">
          {item.detail}
        </Text>
      )}
    </div>
  );
}
