import { Empty } from '../parts/states.tsx';
import type { LazyPage } from './lazy-page.tsx';
import { useIsOwner, useWorkspace } from './workspace.ts';

/** A page that shows members who followed or typed its URL why there is nothing for them, instead of buttons that fail. */
export function forOwners(Page: LazyPage): LazyPage {
  function OwnersOnly() {
    const workspace = useWorkspace();
    if (useIsOwner() || workspace === undefined) return <Page />;
    return (
      <Empty
        icon="operator"
        title="Owners only"
        text={`Only owners of ${workspace.name} see this page. Ask one of them if you need something changed here.`}
      />
    );
  }
  return Object.assign(OwnersOnly, { preload: Page.preload });
}
