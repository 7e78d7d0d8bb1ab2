import { useNavigate, useParams } from '@tanstack/react-router';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** The lead whose drawer is open has its own address; the filters stay in it. */
export function useOpenLead() {
  const workspaceId = useWorkspaceId();
  const openId = useParams({ strict: false }).leadId;
  const navigate = useNavigate();
  return {
    openId,
    open: (leadId: string | undefined) =>
      leadId !== undefined &&
      void navigate({
        to: '/w/$workspaceId/leads/$leadId',
        params: { workspaceId, leadId },
        search: true,
        resetScroll: false,
      }),
    close: () =>
      void navigate({
        to: '/w/$workspaceId/leads',
        params: { workspaceId },
        search: true,
        resetScroll: false,
      }),
  };
}
