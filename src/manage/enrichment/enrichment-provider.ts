import type { EnrichmentProvider, NewEnrichmentProvider } from '../../contract/enrichment.ts';
import * as contract from '../../contract/enrichment.ts';
import { deleteAnswersOf } from '../../db/enrichment/enrichment-cache.ts';
import {
  deleteProvider,
  findProvider,
  lockProvider,
  type ProviderRecord,
  storeProvider,
  updateDailyLimit,
} from '../../db/enrichment/enrichment-providers.ts';
import { inTransaction } from '../../db/pool.ts';
import { headerSecretOwner, signingSecretOwner } from '../../domain/enrichment/provider-secrets.ts';
import { mintSigningSecret } from '../../domain/secrets/signing-secret.ts';
import { checkTarget } from '../../net/egress-target.ts';
import { invalidInput, notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { viewProvider } from './enrichment-provider-view.ts';

export const enrichmentProviderRoutes = [
  route(contract.readEnrichment, async ({ params }, deps) => {
    const found = await findProvider(deps.pool, params.workspace_id);
    return {
      network: deps.enrichNetwork,
      provider: found === null ? null : await viewProvider(deps.pool, found, deps.clock),
    };
  }),
  route(contract.readEnrichmentProvider, async ({ params }, { pool, clock }) => {
    const found = await findProvider(pool, params.workspace_id);
    if (found === null) throw notFound('enrichment provider');
    return viewProvider(pool, found, clock);
  }),
  route(contract.setEnrichmentProvider, ({ params, body }, deps) =>
    setProvider(deps, params.workspace_id, body),
  ),
  route(contract.removeEnrichmentProvider, async ({ params }, { pool }) => {
    await inTransaction(pool, async (client) => {
      await deleteProvider(client, params.workspace_id);
      await deleteAnswersOf(client, params.workspace_id);
    });
  }),
];

async function setProvider(
  { pool, clock, secretBox }: ManagementDeps,
  workspaceId: string,
  body: NewEnrichmentProvider,
): Promise<EnrichmentProvider> {
  requireUsable(body.url);
  return inTransaction(pool, async (client) => {
    const before = await lockProvider(client, workspaceId);
    // A secret is sent only to the host that it was entered for.
    const kept = before !== null && new URL(before.url).origin === new URL(body.url).origin ? before : null;
    const generated = body.signing_secret === undefined && kept === null ? mintSigningSecret() : undefined;
    const signingSecret = body.signing_secret ?? generated;
    const record: ProviderRecord = {
      workspaceId,
      url: body.url,
      send: body.send,
      ...headerOf(body, kept, (value) => secretBox.seal(value, headerSecretOwner(workspaceId))),
      signingCiphertext:
        signingSecret === undefined
          ? (kept as ProviderRecord).signingCiphertext
          : secretBox.seal(signingSecret, signingSecretOwner(workspaceId)),
      mapping: body.mapping,
      dailyLimit: body.daily_limit,
      updatedAt: new Date(clock.now()),
    };
    if (before !== null && isAskedTheSame(before, record)) await updateDailyLimit(client, record);
    else {
      await storeProvider(client, record);
      await deleteAnswersOf(client, workspaceId);
    }
    const view = await viewProvider(client, record, clock);
    return { ...view, ...(generated === undefined ? {} : { signing_secret: generated }) };
  });
}

/** Every ciphertext is new: encrypting the same text never gives the same bytes. */
function isAskedTheSame(before: ProviderRecord, after: ProviderRecord): boolean {
  const question = ({
    url,
    send,
    headerName,
    headerCiphertext,
    signingCiphertext,
    mapping,
  }: ProviderRecord) =>
    JSON.stringify([
      url,
      send,
      headerName,
      headerCiphertext?.toString('hex'),
      signingCiphertext.toString('hex'),
      Object.entries(mapping).toSorted(),
    ]);
  return question(before) === question(after);
}

/** The same rules as when the provider is asked, so that a mistake shows now instead of failing every lead. */
function requireUsable(url: string): void {
  const target = checkTarget(url);
  if (typeof target !== 'string' && target.protocol === 'https:' && target.hash === '') return;
  const message = 'use an https URL with a public host, without a port, credentials or fragment';
  throw invalidInput([{ field: 'url', message }]);
}

/** A header needs a value, and a value needs a header. */
function headerOf(
  { header_name: name, header_value: value }: NewEnrichmentProvider,
  kept: ProviderRecord | null,
  seal: (value: string) => Buffer,
): Pick<ProviderRecord, 'headerName' | 'headerCiphertext'> {
  if (name == null) {
    if (value !== undefined) throw invalidInput([{ field: 'header_name', message: 'is required' }]);
    return { headerName: null, headerCiphertext: null };
  }
  const headerCiphertext = value === undefined ? (kept?.headerCiphertext ?? null) : seal(value);
  if (headerCiphertext === null) throw invalidInput([{ field: 'header_value', message: 'is required' }]);
  return { headerName: name, headerCiphertext };
}
