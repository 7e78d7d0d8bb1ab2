import { useCallback, useEffect, useRef, useState } from 'react';
import { provideAsk } from '../../api/password-proof.ts';
import { lazyDialog } from './lazy-dialog.tsx';

const PasswordDialog = lazyDialog(() => import('./password-dialog.tsx'), 'PasswordDialog');
/** By then the page shows that the call was cancelled, and its button can be focused again. */
const focusAfterMs = 10;

/** Asks for the password before a secret is shown or replaced. The call behind it waits and keeps what was typed. */
export function ConfirmPassword() {
  const [isOpen, setOpen] = useState(false);
  const settle = useRef<((isProved: boolean) => void) | null>(null);
  const back = useRef<Element | null>(null);
  useEffect(
    () =>
      provideAsk(() => {
        back.current = lastFocused;
        setOpen(true);
        return new Promise((resolve) => {
          settle.current = resolve;
        });
      }),
    [],
  );
  const close = useCallback((isProved: boolean) => {
    setOpen(false);
    settle.current?.(isProved);
    settle.current = null;
    setTimeout(() => back.current instanceof HTMLElement && back.current.focus(), focusAfterMs);
  }, []);
  const cancel = useCallback(() => close(false), [close]);
  useOwnEscape(isOpen, cancel);
  return <PasswordDialog opened={isOpen} onClose={cancel} onProved={() => close(true)} />;
}

/** A button that was just pressed is disabled while its call runs, and the browser takes the focus from it. */
let lastFocused: Element | null = null;
// The build reads the routes, and thereby this file, where there is no document.
globalThis.document?.addEventListener('focusin', ({ target }) => {
  lastFocused = target instanceof Element ? target : null;
});

/** Escape cancels this dialog and not the one below, which listens on the window, too, but later. */
function useOwnEscape(isOpen: boolean, cancel: () => void): void {
  const isOwn = useRef(isOpen);
  isOwn.current = isOpen;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isOwn.current || event.key !== 'Escape' || event.isComposing) return;
      event.stopImmediatePropagation();
      cancel();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [cancel]);
}
