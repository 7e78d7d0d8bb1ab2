import { type ComponentType, useEffect, useState } from 'react';
import { useConnection } from '../connection-bar.tsx';

/** The code that shows toasts, loaded right after the first page. Toasts that come before it wait in their store. */
export function LateToasts() {
  const { outage } = useConnection();
  const [Toasts, setToasts] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (Toasts !== null || outage !== null) return;
    import('./toasts.tsx').then(
      (module) => setToasts(() => module.Toasts),
      // The next outage ends with another try.
      () => undefined,
    );
  }, [Toasts, outage]);
  return Toasts && <Toasts />;
}
