import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './client.ts';

/** Told when the session has ended while somebody was at work, so that they can sign in without leaving the page. */
export const sessionEnded = new EventTarget();

const triesMax = 2;

// What a key or click changed is shown before the next one comes: it may start from what is shown.
notifyManager.setScheduler(queueMicrotask);

function onError(error: Error): void {
  if (error instanceof ApiProblem && error.status === 401) sessionEnded.dispatchEvent(new Event('ended'));
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => query.queryKey[0] !== 'me' && onError(error) }),
  mutationCache: new MutationCache({
    onError: (error, _, __, mutation) => mutation.meta?.isSignIn !== true && onError(error),
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the API refuses stays refused; only what got no answer, or a fault, is worth another try.
      retry: (count, error) =>
        count < triesMax && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      retryDelay: (count) => 500 * 2 ** count,
    },
  },
});
