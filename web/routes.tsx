import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { queryText } from '../src/contract/address.ts';
import { ApiProblem } from './api/client.ts';
import { meQuery } from './api/queries.ts';
import { queryClient } from './api/query-client.ts';
import { Overview } from './pages/overview/overview.tsx';
import {
  alarmSearch,
  auditSearch,
  debuggerSearch,
  deliverySearch,
  diagnosticsSearch,
  heldSearch,
  leadSearch,
  overviewSearch,
  signInSearch,
  tokenSearch,
} from './search.ts';
import { lazyPage } from './shell/lazy-page.tsx';
import { forOwners } from './shell/owners-only.tsx';
import { NotFound, PageFailure, PagePending, ShellFailure, ShellPending } from './shell/page-states.tsx';
import { Shell } from './shell/shell.tsx';
import { lastVisited } from './shell/workspace.ts';

/** Every URL of the settings area. The code of a page is loaded when it is first opened, except that of the first page. */
const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: PageFailure });
const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path });

const entry = () => import('./pages/entry/entry.tsx');
const signIn = createRoute({
  ...at('/sign-in'),
  validateSearch: signInSearch,
  component: lazyPage(entry, 'SignIn'),
});
const setUp = createRoute({ ...at('/setup'), component: lazyPage(entry, 'SetUp') });
const join = createRoute({ ...at('/join'), component: lazyPage(entry, 'Join') });

const forgot = createRoute({ ...at('/forgot'), component: lazyPage(entry, 'Forgot') });
const reset = createRoute({ ...at('/reset'), component: lazyPage(entry, 'Reset') });

/** For people who get emails of a destination, most of whom have no account. */
const confirmEmails = createRoute({ ...at('/emails/confirm'), component: lazyPage(entry, 'ConfirmEmails') });
const stopEmails = createRoute({ ...at('/emails/unsubscribe'), component: lazyPage(entry, 'StopEmails') });

/** For people who get a token from someone else. */
const handOver = createRoute({ ...at('/handover'), component: lazyPage(entry, 'OpenHandOverLink') });

/** People without a session sign in first, and then return to the page they wanted. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ location }) {
    try {
      return { me: await queryClient.ensureQueryData(meQuery) };
    } catch (error) {
      const isStranger = error instanceof ApiProblem && error.status === 401;
      // Without the fragment, which must not end up in a query.
      const to = location.pathname + location.searchStr;
      if (isStranger) throw redirect({ to: '/sign-in', search: { to }, hash: location.hash });
      throw error;
    }
  },
  component: Shell,
  pendingComponent: ShellPending,
  errorComponent: ShellFailure,
});
const within = <Path extends string>(path: Path) => ({ getParentRoute: () => signedIn, path });

const home = createRoute({
  ...within('/'),
  beforeLoad({ context }) {
    const last = lastVisited(context.me.workspaces);
    if (last !== undefined) throw redirect({ to: '/w/$workspaceId', params: { workspaceId: last.id } });
    if (context.me.user.operator) throw redirect({ to: '/operator' });
  },
  component: lazyPage(() => import('./pages/workspace/no-workspace.tsx'), 'NoWorkspace'),
});

const overview = createRoute({
  ...within('/w/$workspaceId'),
  validateSearch: overviewSearch,
  component: Overview,
});
const leads = createRoute({
  ...within('/w/$workspaceId/leads'),
  validateSearch: leadSearch,
  component: lazyPage(() => import('./pages/leads/leads.tsx'), 'Leads'),
});
const lead = createRoute({
  getParentRoute: () => leads,
  path: '$leadId',
  component: lazyPage(() => import('./pages/leads/lead/lead-drawer.tsx'), 'LeadDrawer'),
});
const forms = createRoute({
  ...within('/w/$workspaceId/forms'),
  component: lazyPage(() => import('./pages/forms/forms.tsx'), 'Forms'),
});
const form = createRoute({
  ...within('/w/$workspaceId/forms/$formId'),
  component: lazyPage(() => import('./pages/forms/form.tsx'), 'FormPage'),
});
const ofForm = <Path extends string>(path: Path) => ({ getParentRoute: () => form, path });
const fields = createRoute({
  ...ofForm('/'),
  component: lazyPage(() => import('./pages/forms/fields.tsx'), 'Fields'),
});
const deliverySettings = createRoute({
  ...ofForm('delivery'),
  component: forOwners(
    lazyPage(() => import('./pages/delivery-settings/delivery-settings.tsx'), 'DeliverySettings'),
  ),
});
const webPage = createRoute({
  ...ofForm('delivery/web-page'),
  component: lazyPage(() => import('./pages/web-page/web-page.tsx'), 'WebPage'),
});
const scoring = createRoute({
  ...ofForm('scoring'),
  component: lazyPage(() => import('./pages/scoring/scoring.tsx'), 'Scoring'),
});
const tokenPages = () => import('./pages/tokens/tokens.tsx');
const tokens = createRoute({
  ...within('/w/$workspaceId/tokens'),
  validateSearch: tokenSearch,
  component: forOwners(lazyPage(tokenPages, 'Tokens')),
});
const token = createRoute({
  ...within('/w/$workspaceId/tokens/$tokenId'),
  component: forOwners(lazyPage(tokenPages, 'TokenPage')),
});
const diagnostics = createRoute({
  ...within('/w/$workspaceId/tokens/diagnostics'),
  validateSearch: diagnosticsSearch,
  component: forOwners(lazyPage(() => import('./pages/diagnostics/diagnostics.tsx'), 'DiagnosticsPage')),
});
const held = createRoute({
  ...within('/w/$workspaceId/tokens/diagnostics/held'),
  validateSearch: heldSearch,
  component: forOwners(lazyPage(() => import('./pages/held/held.tsx'), 'HeldPage')),
});
const heldRequest = createRoute({
  getParentRoute: () => held,
  path: '$heldId',
  component: lazyPage(() => import('./pages/held/request/held-drawer.tsx'), 'HeldDrawer'),
});
const alarms = createRoute({
  ...within('/w/$workspaceId/alarms'),
  validateSearch: alarmSearch,
  component: forOwners(lazyPage(() => import('./pages/alarms/alarms.tsx'), 'AlarmsPage')),
});
const alarm = createRoute({
  getParentRoute: () => alarms,
  path: '$alarmId',
  component: lazyPage(() => import('./pages/alarms/alarm/alarm-drawer.tsx'), 'AlarmDrawer'),
});
const alarmSettings = createRoute({
  ...within('/w/$workspaceId/alarms/settings'),
  component: forOwners(
    lazyPage(() => import('./pages/alarms/settings/alarm-settings.tsx'), 'AlarmSettingsPage'),
  ),
});
const signatures = createRoute({
  ...within('/w/$workspaceId/debugger'),
  validateSearch: debuggerSearch,
  component: forOwners(lazyPage(() => import('./pages/debugger/debugger.tsx'), 'Debugger')),
});
const enrichment = createRoute({
  ...within('/w/$workspaceId/enrichment'),
  component: forOwners(lazyPage(() => import('./pages/enrichment/enrichment.tsx'), 'EnrichmentPage')),
});
const destinations = createRoute({
  ...within('/w/$workspaceId/destinations'),
  component: forOwners(lazyPage(() => import('./pages/destinations/destinations.tsx'), 'Destinations')),
});
const newDestination = createRoute({
  ...within('/w/$workspaceId/destinations/new'),
  component: forOwners(lazyPage(() => import('./pages/destinations/setup/set-up.tsx'), 'SetUpDestination')),
});
const destination = createRoute({
  ...within('/w/$workspaceId/destinations/$destinationId'),
  component: forOwners(lazyPage(() => import('./pages/destinations/destination.tsx'), 'DestinationPage')),
});
const deliveries = createRoute({
  ...within('/w/$workspaceId/deliveries'),
  validateSearch: deliverySearch,
  component: forOwners(lazyPage(() => import('./pages/deliveries/deliveries.tsx'), 'Deliveries')),
});
const delivery = createRoute({
  getParentRoute: () => deliveries,
  path: '$deliveryId',
  component: lazyPage(() => import('./pages/deliveries/delivery-drawer.tsx'), 'DeliveryDrawer'),
});
const apiKeys = createRoute({
  ...within('/w/$workspaceId/api-keys'),
  validateSearch: tokenSearch,
  component: forOwners(lazyPage(() => import('./pages/api-keys/api-keys.tsx'), 'ApiKeys')),
});
const workspace = createRoute({
  ...within('/w/$workspaceId/workspace'),
  validateSearch: auditSearch,
  component: lazyPage(() => import('./pages/workspace/workspace.tsx'), 'WorkspacePage'),
});
const account = createRoute({
  ...within('/account'),
  component: lazyPage(() => import('./pages/account/account.tsx'), 'Account'),
});
const operator = createRoute({
  ...within('/operator'),
  component: lazyPage(() => import('./pages/operator/operator.tsx'), 'Operator'),
});
const ofOperator = <Path extends string>(path: Path) => ({ getParentRoute: () => operator, path });
const operatorTabs = [
  createRoute({
    ...ofOperator('/'),
    component: lazyPage(() => import('./pages/operator/health/health.tsx'), 'HealthTab'),
  }),
  createRoute({
    ...ofOperator('workspaces'),
    component: lazyPage(() => import('./pages/operator/workspaces.tsx'), 'WorkspacesTab'),
  }),
  createRoute({
    ...ofOperator('people'),
    component: lazyPage(() => import('./pages/operator/people.tsx'), 'PeopleTab'),
  }),
  createRoute({
    ...ofOperator('settings'),
    component: lazyPage(() => import('./pages/operator/settings.tsx'), 'SettingsTab'),
  }),
  createRoute({
    ...ofOperator('audit'),
    validateSearch: auditSearch,
    component: lazyPage(() => import('./pages/operator/audit.tsx'), 'AuditTab'),
  }),
  createRoute({
    ...ofOperator('quarantine'),
    component: lazyPage(() => import('./pages/operator/quarantine.tsx'), 'Quarantine'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    setUp,
    join,
    forgot,
    reset,
    confirmEmails,
    stopEmails,
    handOver,
    signedIn.addChildren([
      home,
      overview,
      leads.addChildren([lead]),
      forms,
      form.addChildren([fields, deliverySettings, webPage, scoring]),
      tokens,
      token,
      diagnostics,
      held.addChildren([heldRequest]),
      alarms.addChildren([alarm]),
      alarmSettings,
      signatures,
      enrichment,
      destinations,
      newDestination,
      destination,
      deliveries.addChildren([delivery]),
      apiKeys,
      workspace,
      account,
      operator.addChildren(operatorTabs),
    ]),
  ]),
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Plain text both ways: a search for 123 is a search for text.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (values) => queryText(values),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
