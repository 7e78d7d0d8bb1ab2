import { notifications } from '@mantine/notifications';
import { QueryObserver } from '@tanstack/react-query';
import { heldDecisionsQuery } from '../../../api/held-queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { TextLink } from '../../../parts/links.tsx';
import { linkLook, toastDone } from '../../../parts/toast.ts';
import { progressText } from './decisions-progress.tsx';

const states = { admission: 'admitted', discard: 'discarded' } as const;

/** Says that a decision is under way, and what became of it, even if the person has left the page or scrolled. */
export function tellDecision(workspaceId: string, id: string, started: string): void {
  notifications.show({ id, loading: true, autoClose: false, message: started });
  const end = new QueryObserver(queryClient, heldDecisionsQuery(workspaceId)).subscribe(
    ({ data, isError }) => {
      const decision = data?.items.find((one) => one.id === id);
      const hasEnded = decision !== undefined && decision.state !== 'running';
      if (!hasEnded && !isError) return;
      end();
      notifications.hide(id);
      if (!hasEnded) return;
      toastDone(
        <>
          {progressText(decision)}{' '}
          {decision.decided > 0 && (
            <TextLink
              to="/w/$workspaceId/tokens/diagnostics/held"
              params={{ workspaceId }}
              search={{ state: states[decision.kind] }}
              {...linkLook}
            >
              {decision.decided === 1 ? 'Show it' : 'Show them'}
            </TextLink>
          )}
        </>,
      );
      // The list may have several pages, which nothing else fetches again.
      void queryClient.invalidateQueries({ queryKey: ['held', workspaceId] });
    },
  );
}
