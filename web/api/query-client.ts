import { MutationCache, notifyManager, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './client.ts';
import { connection } from './connection.ts';

/** Says when the session has ended while someone is working, so that they can sign in without leaving the page. */
export const sessionEnded = new EventTarget();

const triesMax = 2;

// A change is shown before the next key or click, which may build on it.
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
    // A change that cannot be sent fails immediately: nobody expects it to happen minutes later.
    mutations: { networkMode: 'always' },
    queries: {
      staleTime: 5_000,
      // Done below, for all of them.
      refetchOnReconnect: false,
      // A refusal is final; only a missing response or a server error is worth another try.
      retry: (count, error) =>
        count < triesMax && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      retryDelay: (count) => 500 * 2 ** count,
    },
  },
});

// Queries wait while the service does not respond and keep what they have; afterwards everything on the page is fetched
// again, and what is not on the page when it is next shown.
onlineManager.setEventListener((setOnline) => {
  let isUp = true;
  return connection.subscribe(() => {
    const wasUp = isUp;
    isUp = connection.current().outage === null;
    setOnline(isUp);
    if (isUp && !wasUp) void queryClient.invalidateQueries({}, { cancelRefetch: false });
  });
});
