import * as contract from '../../contract/forms.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import {
  clearPreviousSecret,
  clearWebhookSecret,
  rotateWebhookSecret,
  type SecretRotation,
} from '../../db/forms/webhook-secrets.ts';
import { mintSigningSecret, secretPrefix } from '../../domain/secrets/signing-secret.ts';
import { secondMs } from '../../time/clock.ts';
import { nameOf } from '../calls/access.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { verifyHeld } from '../held/re-verification.ts';
import { requireForm } from './form-changes.ts';

// What was rejected just before is in the database by then, and every instance knows the new secret.
const keptMsMax = 5 * secondMs;

export const webhookSecretRoutes = [
  route(contract.setWebhookSecret, async ({ params, body, principal }, deps) => {
    const secret = body.secret ?? mintSigningSecret();
    const rotation = rotationTo(deps, params.form_id, secret, body.overlap_seconds, nameOf(principal));
    const until = await rotate(deps, params.workspace_id, params.form_id, rotation);
    const verify = () => verifyHeldAgain(deps, params.workspace_id, params.form_id);
    await verify();
    deps.clock.deadline(keptMsMax, () => void verify());
    return { secret, previous_valid_until: until?.toISOString() ?? null };
  }),
  route(contract.removeWebhookSecret, ({ params }, deps) =>
    clear(deps, params.workspace_id, params.form_id, clearWebhookSecret),
  ),
  route(contract.endSecretOverlap, ({ params }, deps) =>
    clear(deps, params.workspace_id, params.form_id, clearPreviousSecret),
  ),
];

/** The secret is set whether this works or not. */
async function verifyHeldAgain(deps: ManagementDeps, workspaceId: string, formId: string): Promise<void> {
  await verifyHeld(deps, workspaceId, formId).catch((error) =>
    deps.log.warn({ err: error, form_id: formId }, 'held signatures were not checked again'),
  );
}

async function clear(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
  clearIn: typeof clearWebhookSecret | typeof clearPreviousSecret,
): Promise<void> {
  await changeDirectory(deps, async (client) => {
    await requireForm(client, workspaceId, formId);
    await clearIn(client, workspaceId, formId, await nextDirectoryRevision(client));
  });
}

function rotationTo(
  { clock, secretBox }: ManagementDeps,
  formId: string,
  secret: string,
  overlapSeconds: number,
  setBy: string,
): SecretRotation {
  const now = clock.now();
  return {
    ciphertext: secretBox.seal(secret, formId),
    setAt: new Date(now),
    setBy,
    prefix: secretPrefix(secret),
    previousValidUntil: overlapSeconds === 0 ? null : new Date(now + overlapSeconds * secondMs),
  };
}

async function rotate(deps: ManagementDeps, workspaceId: string, formId: string, rotation: SecretRotation) {
  return changeDirectory(deps, async (client) => {
    await requireForm(client, workspaceId, formId);
    const revision = await nextDirectoryRevision(client);
    return rotateWebhookSecret(client, workspaceId, formId, rotation, revision);
  });
}
