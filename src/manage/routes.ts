import { auditRoutes } from './audit.ts';
import { diagnosticsRoutes } from './diagnostics.ts';
import { enrichmentProviderRoutes } from './enrichment-provider.ts';
import { formerSlugRoutes } from './former-slugs.ts';
import { formRoutes } from './forms.ts';
import { instanceSettingsRoutes } from './instance-settings.ts';
import { invitationRoutes } from './invitations.ts';
import { joiningRoutes } from './joining.ts';
import { leadExportRoutes } from './lead-export.ts';
import { leadHistoryRoutes } from './lead-history.ts';
import { leadMarkRoutes } from './lead-mark.ts';
import { leadTableRoutes } from './lead-table.ts';
import { leadRoutes } from './leads.ts';
import { meRoutes } from './me.ts';
import { memberRoutes } from './members.ts';
import { operatorRoutes } from './operator.ts';
import { passwordLinkRoutes } from './password-links.ts';
import { passwordResetRoutes } from './password-resets.ts';
import { operatorPeopleRoutes } from './people/operators.ts';
import { quarantineRoutes } from './quarantine/quarantine.ts';
import type { Route } from './route.ts';
import { scoringRoutes } from './scoring.ts';
import { setupRoutes } from './setup.ts';
import { signatureDebugRoutes } from './signature-debug.ts';
import { slugCheckRoutes } from './slug-check.ts';
import { testLeadRoutes } from './test-lead.ts';
import { tokenRotationRoutes } from './token-rotation.ts';
import { tokenRoutes } from './tokens.ts';
import { webhookSecretRoutes } from './webhook-secret.ts';
import { webhookSecretUseRoutes } from './webhook-secret-use.ts';
import { workspaceRoutes } from './workspaces.ts';

export const apiPrefix = '/api/v1';

/** Every call of the API. Where two paths match, the first serves: `leads/export` before `leads/:submission_id`. */
export const routes: readonly Route[] = [
  ...setupRoutes,
  ...meRoutes,
  ...joiningRoutes,
  ...passwordResetRoutes,
  ...workspaceRoutes,
  ...memberRoutes,
  ...passwordLinkRoutes,
  ...invitationRoutes,
  ...auditRoutes,
  ...formRoutes,
  ...slugCheckRoutes,
  ...formerSlugRoutes,
  ...webhookSecretRoutes,
  ...webhookSecretUseRoutes,
  ...testLeadRoutes,
  ...signatureDebugRoutes,
  ...scoringRoutes,
  ...tokenRoutes,
  ...tokenRotationRoutes,
  ...leadExportRoutes,
  ...leadRoutes,
  ...leadMarkRoutes,
  ...leadHistoryRoutes,
  ...leadTableRoutes,
  ...enrichmentProviderRoutes,
  ...diagnosticsRoutes,
  ...operatorRoutes,
  ...instanceSettingsRoutes,
  ...operatorPeopleRoutes,
  ...quarantineRoutes,
];
