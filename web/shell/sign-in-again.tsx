import { useCallback, useEffect, useState } from 'react';
import { queryClient, sessionEnded } from '../api/query-client.ts';
import { lazyDialog } from '../parts/dialogs/lazy-dialog.tsx';

const SignInDialog = lazyDialog(() => import('../parts/dialogs/sign-in-dialog.tsx'), 'SignInDialog');

/** Covers the page when the session has ended, so that nothing typed is lost. */
export function SignInAgain() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = () => setOpen(true);
    sessionEnded.addEventListener('ended', open);
    return () => sessionEnded.removeEventListener('ended', open);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  const done = () => {
    close();
    void queryClient.invalidateQueries();
  };
  return <SignInDialog opened={isOpen} onClose={close} onDone={done} />;
}
