import { useEffect, useEffectEvent } from 'react';

/** Dialogs of other pages that the palette can open. */
export type AskedDialog = 'form' | 'token' | 'invitation';

let asked: AskedDialog | null = null;
const pages = new Set<() => void>();

/** Opens a dialog of the page that is shown or will be next. */
export function askFor(dialog: AskedDialog): void {
  asked = dialog;
  for (const look of pages) look();
}

export function useAskedDialog(dialog: AskedDialog, open: () => void): void {
  const look = useEffectEvent(() => {
    if (asked !== dialog) return;
    asked = null;
    open();
  });
  useEffect(() => {
    const onAsked = () => look();
    onAsked();
    pages.add(onAsked);
    return () => {
      pages.delete(onAsked);
    };
  }, []);
}
