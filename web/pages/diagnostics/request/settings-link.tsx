import type { RejectedRequest } from '../../../../src/contract/diagnostics/rejected-request.ts';
import { TextLink } from '../../../parts/links.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';

type Reason = RejectedRequest['reason'];

const ofTokens: readonly Reason[] = ['token_unknown', 'token_revoked', 'token_wrong_type'];
const ofForms: readonly Reason[] = ['form_inactive', 'form_unknown', 'slug_ambiguous'];
const ofSecrets: readonly Reason[] = ['secret_not_configured', 'signature_mismatch'];
const ofWebPages: readonly Reason[] = ['browser_disabled', 'origin_not_allowed'];

/** The page where the cause can be changed, if there is one. */
export function SettingsLink({ request: { reason, form_id } }: { request: RejectedRequest }) {
  const workspaceId = useWorkspaceId();
  if (ofTokens.includes(reason))
    return (
      <TextLink to="/w/$workspaceId/tokens" params={{ workspaceId }} size="sm">
        Ingest tokens
      </TextLink>
    );
  if (form_id === null) return null;
  const params = { workspaceId, formId: form_id };
  if (ofForms.includes(reason))
    return (
      <TextLink to="/w/$workspaceId/forms/$formId" params={params} size="sm">
        Open the form
      </TextLink>
    );
  if (ofSecrets.includes(reason))
    return (
      <TextLink to="/w/$workspaceId/forms/$formId/delivery" params={params} size="sm">
        Delivery settings
      </TextLink>
    );
  if (!ofWebPages.includes(reason)) return null;
  return (
    <TextLink to="/w/$workspaceId/forms/$formId/delivery/web-page" params={params} size="sm">
      Web page settings
    </TextLink>
  );
}
