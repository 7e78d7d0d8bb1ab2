import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { LeadListed } from '../../../src/contract/leads/lead.ts';
import { api } from '../../api/client.ts';
import { emailOf, titleOf } from '../../pages/leads/table/identity.ts';
import { useNavigatedWorkspace } from '../workspace.ts';
import type { PaletteItem } from './items.ts';

const leadsMax = 5;
const charactersMin = 2;
const pauseMs = 200;
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The newest leads with the text, and where to look for more. A pasted ID is a lead's or a request's. */
export function useLeadItems(query: string) {
  const workspace = useNavigatedWorkspace();
  const navigate = useNavigate();
  const workspaceId = workspace?.id ?? '';
  const typed = query.trim();
  const [text] = useDebouncedValue(typed, pauseMs);
  const isSearched = workspace !== undefined && text.length >= charactersMin && !idPattern.test(text);
  const found = useQuery({
    queryKey: ['leads', workspaceId, 'palette', text],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/leads', {
        params: { workspace_id: workspaceId },
        query: { q: text, limit: leadsMax },
        signal,
      }),
    enabled: isSearched,
  });
  const known = { isSearching: false, isFailed: false };
  if (workspace === undefined || typed.length < charactersMin) return { items: [], ...known };
  if (idPattern.test(typed)) return { items: ofId(typed), ...known };
  // Leads with an earlier text would be in the way of whoever presses Enter.
  const leads = text === typed ? (found.data?.items ?? []) : [];
  return {
    items: [...leads.map(ofLead), everywhere()],
    isSearching: text !== typed || found.isFetching,
    isFailed: text === typed && found.isError && !found.isFetching,
  };

  function ofLead(lead: LeadListed): PaletteItem {
    return leadItem(lead.submission_id, titleOf(lead.fields), emailOf(lead.fields));
  }
  function leadItem(leadId: string, label: string, detail: string): PaletteItem {
    return {
      id: leadId,
      group: 'Leads',
      label,
      // The service has found it, so whatever was typed is in it.
      words: typed,
      icon: 'leads',
      ...(detail !== label && { detail }),
      run: () => void navigate({ to: '/w/$workspaceId/leads/$leadId', params: { workspaceId, leadId } }),
    };
  }
  function everywhere(): PaletteItem {
    return {
      id: 'search-leads',
      group: 'Leads',
      label: `Search all leads for “${typed}”`,
      icon: 'search',
      run: () =>
        void navigate({ to: '/w/$workspaceId/leads', params: { workspaceId }, search: { q: typed } }),
    };
  }
  function ofId(id: string): PaletteItem[] {
    const request: PaletteItem = {
      id: 'request',
      group: 'Leads',
      label: 'Find this request in Diagnostics',
      words: id,
      icon: 'diagnostics',
      run: () =>
        void navigate({
          to: '/w/$workspaceId/tokens/diagnostics',
          params: { workspaceId },
          search: { request_id: id },
        }),
    };
    return [
      leadItem(id, 'Open the lead with this ID', id),
      ...(workspace?.role === 'owner' ? [request] : []),
    ];
  }
}
