import type { IconName } from '../../parts/icons.tsx';
import type { WorkspaceOfMine } from '../workspace.ts';

interface Page {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  readonly forOwners?: true;
  readonly isNested?: true;
}

const pages = [
  { to: '/w/$workspaceId', label: 'Overview', icon: 'overview' },
  { to: '/w/$workspaceId/leads', label: 'Leads', icon: 'leads' },
  { to: '/w/$workspaceId/forms', label: 'Forms', icon: 'forms' },
  { to: '/w/$workspaceId/tokens', label: 'Ingest tokens', icon: 'token', forOwners: true },
  {
    to: '/w/$workspaceId/tokens/diagnostics',
    label: 'Diagnostics',
    icon: 'diagnostics',
    forOwners: true,
    isNested: true,
  },
  { to: '/w/$workspaceId/alarms', label: 'Alarms', icon: 'bell', forOwners: true },
  { to: '/w/$workspaceId/debugger', label: 'Signature debugger', icon: 'debugger', forOwners: true },
  { to: '/w/$workspaceId/enrichment', label: 'Enrichment', icon: 'spark', forOwners: true },
  { to: '/w/$workspaceId/destinations', label: 'Destinations', icon: 'destinations', forOwners: true },
  {
    to: '/w/$workspaceId/deliveries',
    label: 'Deliveries',
    icon: 'deliveries',
    forOwners: true,
    isNested: true,
  },
  { to: '/w/$workspaceId/api-keys', label: 'API keys', icon: 'plug', forOwners: true },
  { to: '/w/$workspaceId/workspace', label: 'Workspace', icon: 'workspace' },
] as const satisfies readonly Page[];

/** The pages that a member sees. */
export function pagesFor(role: WorkspaceOfMine['role'] | undefined) {
  return pages.filter((page) => !('forOwners' in page) || role === 'owner');
}
