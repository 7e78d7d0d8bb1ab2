import type { Logger } from 'pino';
import { listProviders, type StoredProvider } from '../../../db/enrichment/enrichment-providers.ts';
import type { Queryable } from '../../../db/pool.ts';
import { headerSecretOwner, signingSecretOwner } from '../../../domain/enrichment/provider-secrets.ts';
import type { SecretBox } from '../../../domain/secrets/secret-box.ts';
import type { LookupProvider } from '../provider.ts';
import { externalDescription, externalProvider } from './external.ts';

export interface ExternalDeps {
  readonly secretBox: SecretBox;
  readonly headerPrefix: string;
  readonly log: Logger;
}

/** External providers by workspace, ready to use. */
export async function loadExternalProviders(
  db: Queryable,
  workspaceIds: readonly string[],
  deps: ExternalDeps,
): Promise<Map<string, LookupProvider>> {
  const stored = await listProviders(db, [...new Set(workspaceIds)]);
  return new Map(stored.map((record) => [record.workspaceId, opened(record, deps)]));
}

function opened(record: StoredProvider, { secretBox, headerPrefix, log }: ExternalDeps): LookupProvider {
  const { workspaceId, revision, url, send, headerName, headerCiphertext, signingCiphertext, mapping } =
    record;
  try {
    const signingSecret = secretBox.open(signingCiphertext, signingSecretOwner(workspaceId));
    const header =
      headerName === null || headerCiphertext === null
        ? null
        : { name: headerName, value: secretBox.open(headerCiphertext, headerSecretOwner(workspaceId)) };
    return externalProvider({ revision, url, send, header, signingSecret, mapping }, headerPrefix);
  } catch (error) {
    log.error(
      { workspace_id: workspaceId, why: (error as Error).message },
      'enrichment provider secrets cannot be decrypted: check ENCRYPTION_KEY and ENCRYPTION_KEY_PREVIOUS with leadgate doctor',
    );
    return unreadable(revision);
  }
}

function unreadable(version: number): LookupProvider {
  return {
    ...externalDescription,
    version,
    skip: () => null,
    cacheKey: () => null,
    host: () => '',
    ask: async () => ({ kind: 'fail', why: 'its secrets could not be decrypted' }),
  };
}
