import { ActionIcon, Tooltip } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { lazyDialog } from '../../parts/dialogs/lazy-dialog.tsx';
import { Icon } from '../../parts/icons.tsx';
import { useKeys } from '../../parts/keys/use-keys.ts';
import { isApple, paletteKeys } from './palette-keys.ts';

const Palette = lazyDialog(() => import('./palette.tsx'), 'Palette');
const Shortcuts = lazyDialog(() => import('./shortcuts.tsx'), 'Shortcuts');

/** The dialogs that every page has: the palette, and the list of keys. */
export function useCommands() {
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null);
  const search = () => setShown('palette');
  const showShortcuts = () => setShown('shortcuts');
  useKeys({ '?': { label: 'Keyboard shortcuts', press: showShortcuts } });
  usePaletteKey(() => setShown(shown === 'palette' ? null : 'palette'));
  return { shown, search, showShortcuts, close: () => setShown(null) };
}

/** Also while someone types, since no text needs it; not over another dialog. */
function usePaletteKey(press: () => void): void {
  const onPress = useEffectEvent(press);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isOurs = event.key.toLowerCase() === 'k' && (isApple ? event.metaKey : event.ctrlKey);
      if (!isOurs || event.altKey || event.shiftKey) return;
      // Browsers would go to their own search box.
      event.preventDefault();
      const dialog = document.querySelector('[aria-modal="true"]');
      if (dialog === null || dialog.querySelector('.palette') !== null) onPress();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

export function CommandDialogs({ shown, showShortcuts, close }: ReturnType<typeof useCommands>) {
  return (
    <>
      <Palette opened={shown === 'palette'} onClose={close} onShortcuts={showShortcuts} />
      <Shortcuts opened={shown === 'shortcuts'} onClose={close} />
    </>
  );
}

export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <Tooltip label={`Search and commands (${paletteKeys.join(' ')})`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={34}
        aria-label="Commands"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={onClick}
      >
        <Icon name="search" size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
