import type { z } from 'zod';
import type { mintSecretAnswer } from '../../contract/browser/settings.ts';
import { rotateMintSecret } from '../../db/browser/browser-settings.ts';
import { mintSecretOwner, newMintSecret } from '../../domain/browser/secrets.ts';
import { secondMs } from '../../time/clock.ts';
import type { ManagementDeps } from '../deps.ts';
import { changeSettings } from './browser-settings.ts';

/** Without an overlap, the previous secret ends immediately. */
export async function newMintSecretFor(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
  overlapSeconds: number,
): Promise<z.output<typeof mintSecretAnswer>> {
  const secret = newMintSecret();
  const now = deps.clock.now();
  const rotation = {
    ciphertext: deps.secretBox.seal(secret, mintSecretOwner(formId)),
    setAt: new Date(now),
    previousValidUntil: overlapSeconds === 0 ? null : new Date(now + overlapSeconds * secondMs),
  };
  const { epoch, previousMintSecretValidUntil } = await changeSettings(
    deps,
    workspaceId,
    formId,
    (client, revision) => rotateMintSecret(client, workspaceId, formId, rotation, revision),
  );
  return {
    secret,
    workspace_id: workspaceId,
    form_id: formId,
    epoch,
    previous_valid_until: previousMintSecretValidUntil?.toISOString() ?? null,
  };
}
