import { useState } from 'react';
import { lazyDialog } from '../../../parts/dialogs/lazy-dialog.tsx';
import { useOpenRequest } from './request-address.ts';

const RequestDrawer = lazyDialog(() => import('./request-drawer.tsx'), 'RequestDrawer');

/** The drawer of the request that the URL names, whether or not the list has it. */
export function OpenRequest({ ids }: { ids: readonly string[] }) {
  const { openId, open, close } = useOpenRequest();
  // Shown while the drawer slides out.
  const [lastId, setLastId] = useState(openId ?? '');
  if (openId !== undefined && openId !== lastId) setLastId(openId);
  return (
    <RequestDrawer
      opened={openId !== undefined}
      id={openId ?? lastId}
      ids={ids}
      onOpen={open}
      onClose={close}
    />
  );
}
