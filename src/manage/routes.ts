import { calls } from '../contract/calls.ts';
import { alarmRoutes } from './alarms/alarms.ts';
import { clockDriftRoutes } from './alarms/clock-drift.ts';
import { instanceAlarmRoutes } from './alarms/instance-alarms.ts';
import { rhythmRoutes } from './alarms/rhythm.ts';
import { apiKeyRoutes } from './api-keys/api-keys.ts';
import { auditRoutes } from './audit/audit.ts';
import { browserRoutes } from './browser/browser.ts';
import { type Route, routesOf } from './calls/route.ts';
import { deliveryRoutes } from './destinations/deliveries/deliveries.ts';
import { deliveryReplayRoutes } from './destinations/deliveries/delivery-replays.ts';
import { destinationTestRoutes } from './destinations/destination-test.ts';
import { destinationRoutes } from './destinations/destinations.ts';
import { destinationDryRunRoutes } from './destinations/dry-run/dry-run.ts';
import { eventRoutes } from './destinations/feed/events.ts';
import { hubspotRoutes } from './destinations/hubspot-properties.ts';
import { recipientRoutes } from './destinations/recipients/recipients.ts';
import { diagnosticsRoutes } from './diagnostics/diagnostics.ts';
import { rejectionGroupRoutes } from './diagnostics/groups.ts';
import { rateLimitRoutes } from './diagnostics/rate-limits.ts';
import { rejectedRequestRoutes } from './diagnostics/rejected-request.ts';
import { enrichmentProviderRoutes } from './enrichment/enrichment-provider.ts';
import { formActivityRoutes } from './forms/form-activity.ts';
import { formSchemaRoutes } from './forms/form-schema.ts';
import { formerSlugRoutes } from './forms/former-slugs.ts';
import { formRoutes } from './forms/forms.ts';
import { slugCheckRoutes } from './forms/slug-check.ts';
import { testLeadRoutes } from './forms/test-lead.ts';
import { webhookSecretRoutes } from './forms/webhook-secret.ts';
import { webhookSecretUseRoutes } from './forms/webhook-secret-use.ts';
import { heldDecisionRoutes } from './held/decisions.ts';
import { heldRoutes } from './held/held.ts';
import { leadActionRoutes } from './leads/actions/lead-actions.ts';
import { leadExportRoutes } from './leads/lead-export.ts';
import { leadHistoryRoutes } from './leads/lead-history.ts';
import { leadMarkRoutes } from './leads/lead-mark.ts';
import { leadScoreRoutes } from './leads/lead-score.ts';
import { leadTableRoutes } from './leads/lead-table.ts';
import { leadViewRoutes } from './leads/lead-views.ts';
import { leadRoutes } from './leads/leads.ts';
import { learningRoutes } from './learning/learning.ts';
import { changesRoutes } from './live/changes.ts';
import { healthRoutes } from './operator/health/health.ts';
import { instanceSettingsRoutes } from './operator/instance-settings.ts';
import { operatorRoutes } from './operator/operator.ts';
import { operatorPeopleRoutes } from './operator/operators.ts';
import { meRoutes } from './people/me.ts';
import { passwordCheckRoutes } from './people/password-check.ts';
import { passwordLinkRoutes } from './people/password-links.ts';
import { passwordResetRoutes } from './people/password-resets.ts';
import { sessionRoutes } from './people/sessions.ts';
import { setupRoutes } from './people/setup.ts';
import { quarantineRoutes } from './quarantine/quarantine.ts';
import { scoringRoutes } from './scoring/scoring.ts';
import { signatureDebugRoutes } from './signature-debug/signature-debug.ts';
import { handoverRoutes } from './tokens/handover-links.ts';
import { tokenRotationRoutes } from './tokens/token-rotation.ts';
import { tokenRoutes } from './tokens/tokens.ts';
import { invitationRoutes } from './workspaces/invitations.ts';
import { joiningRoutes } from './workspaces/joining.ts';
import { memberRoutes } from './workspaces/members.ts';
import { workspaceRoutes } from './workspaces/workspaces.ts';

/** Every API call with its handler, in the order of the contract. */
export const routes: readonly Route[] = routesOf(calls, [
  ...setupRoutes,
  ...meRoutes,
  ...sessionRoutes,
  ...passwordCheckRoutes,
  ...joiningRoutes,
  ...passwordResetRoutes,
  ...workspaceRoutes,
  ...memberRoutes,
  ...passwordLinkRoutes,
  ...invitationRoutes,
  ...auditRoutes,
  ...formRoutes,
  ...formActivityRoutes,
  ...formSchemaRoutes,
  ...browserRoutes,
  ...slugCheckRoutes,
  ...formerSlugRoutes,
  ...webhookSecretRoutes,
  ...webhookSecretUseRoutes,
  ...testLeadRoutes,
  ...signatureDebugRoutes,
  ...scoringRoutes,
  ...learningRoutes,
  ...tokenRoutes,
  ...tokenRotationRoutes,
  ...handoverRoutes,
  ...apiKeyRoutes,
  ...leadExportRoutes,
  ...leadActionRoutes,
  ...leadRoutes,
  ...leadScoreRoutes,
  ...leadMarkRoutes,
  ...leadHistoryRoutes,
  ...leadTableRoutes,
  ...leadViewRoutes,
  ...enrichmentProviderRoutes,
  ...destinationRoutes,
  ...recipientRoutes,
  ...destinationTestRoutes,
  ...hubspotRoutes,
  ...destinationDryRunRoutes,
  ...deliveryRoutes,
  ...deliveryReplayRoutes,
  ...eventRoutes,
  ...diagnosticsRoutes,
  ...rejectionGroupRoutes,
  ...rateLimitRoutes,
  ...changesRoutes,
  ...operatorRoutes,
  ...healthRoutes,
  ...instanceSettingsRoutes,
  ...operatorPeopleRoutes,
  ...quarantineRoutes,
  ...rejectedRequestRoutes,
  ...heldRoutes,
  ...heldDecisionRoutes,
  ...alarmRoutes,
  ...rhythmRoutes,
  ...clockDriftRoutes,
  ...instanceAlarmRoutes,
]);
