import { useMutation } from '@tanstack/react-query';
import { callAuth } from '../api/client.ts';
import { toastProblem } from '../parts/toast.ts';

export function useSignOut(): () => void {
  const signOut = useMutation({
    mutationFn: () => callAuth('/sign-out', {}),
    onSuccess: () => window.location.assign('/sign-in'),
    onError: toastProblem,
  });
  return () => signOut.mutate();
}
