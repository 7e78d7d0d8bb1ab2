import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { preloadDialogs } from '../parts/dialogs/lazy-dialog.tsx';

// The first page and its data come first, and then the first clicks.
const waitMs = 2_000;

/** Resolves when the browser has nothing better to do. Safari does not say, so there it is now. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 10_000 });
    else resolve(undefined);
  });
}

function isSavingData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Loads the code of all other pages, one after the other, so that they open even while the service is down. */
export function usePrefetchedPages(): void {
  const router = useRouter();
  useEffect(() => {
    if (isSavingData()) return;
    let isOver = false;
    const prefetch = async () => {
      await preloadDialogs();
      for (const route of Object.values(router.routesById)) {
        await idle();
        if (isOver) return;
        await route.options.component?.preload?.();
      }
    };
    const timer = setTimeout(() => void prefetch(), waitMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [router]);
}
