import { getRouteApi, useRouter } from '@tanstack/react-router';

const page = getRouteApi('/signed-in/w/$workspaceId/tokens/diagnostics');

/** The request in the drawer is in the URL, beside the filters. */
export function useOpenRequest() {
  const { request } = page.useSearch();
  const navigate = page.useNavigate();
  const router = useRouter();
  const show = (id: string | undefined, isReplaced: boolean) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, request: id }),
      replace: isReplaced,
      resetScroll: false,
      state: { isFromList: router.state.location.state.isFromList === true || !isReplaced },
    });
  return {
    openId: request,
    // The next one replaces the one before, so that the back button leads to the list.
    open: (id: string) => show(id, request !== undefined),
    close() {
      if (router.state.location.state.isFromList === true) router.history.back();
      else show(undefined, true);
    },
  };
}
