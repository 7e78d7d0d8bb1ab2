import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';

interface PhoneMenu {
  readonly isOpen: boolean;
  /** The menu covers the page, which can then not be reached by keyboard. */
  readonly isCovering: boolean;
  readonly burger: RefObject<HTMLButtonElement | null>;
  readonly closeButton: RefObject<HTMLButtonElement | null>;
  /** Nothing in a closed menu can have the focus. */
  readonly navbar: { readonly inert: boolean; onKeyDown(event: KeyboardEvent): void };
  open(): void;
  close(): void;
}

/** The navigation of a narrow window: it covers the page while it is open, and closes when the page changes. */
export function usePhoneMenu(): PhoneMenu {
  const [isOpen, { open, close }] = useDisclosure();
  // The breakpoint `sm`, from which the navigation is always there.
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const { pathname } = useLocation();
  const burger = useRef<HTMLButtonElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the page changes.
  useEffect(close, [pathname]);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen !== wasOpen.current && isPhone) (isOpen ? closeButton : burger).current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, isPhone]);
  return {
    isOpen,
    isCovering: isPhone && isOpen,
    burger,
    closeButton,
    open,
    close,
    navbar: {
      inert: isPhone && !isOpen,
      onKeyDown(event) {
        // An open list of workspaces closes first.
        const isInMenu = !event.currentTarget.contains(event.target as Node);
        if (event.key === 'Escape' && !event.defaultPrevented && !isInMenu) close();
      },
    },
  };
}
