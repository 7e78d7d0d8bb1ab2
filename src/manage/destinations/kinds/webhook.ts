import type { DestinationChanges } from '../../../contract/destinations/destination-settings.ts';
import type { DestinationRecord } from '../../../db/deliver/destinations.ts';
import type { Format } from '../../../domain/destination/destination.ts';
import type { WebhookConfig } from '../../../domain/destination/kind/kind-settings.ts';
import type { Mapping } from '../../../domain/destination/mapping.ts';
import { newWebhookSecret } from '../../../domain/destination/request/webhook-signature.ts';
import { destinationHeadersOwner } from '../../../domain/destination/secrets.ts';
import { invalidInput } from '../../calls/problem.ts';
import type { ManagementDeps } from '../../deps.ts';
import { requireUrl } from '../destination-checks.ts';
import type { ManagedKind } from './managed-kind.ts';

export const webhookKind: ManagedKind<'webhook'> = {
  members: ['url', 'format', 'mapping', 'headers', 'per_second'],
  async create(deps, id, wanted) {
    await requireUrl(deps, wanted.url);
    requireMapping(wanted);
    const { url, format, mapping, per_second: perSecond, secret = newWebhookSecret() } = wanted;
    const { names, headersCiphertext } = encryptHeaders(deps, id, wanted.headers);
    return {
      kind: 'webhook',
      config: { url, format, headers: names },
      ...{ mapping, headersCiphertext, perSecond, secret },
    };
  },
  async check(deps, _before, { url }) {
    if (url !== undefined) await requireUrl(deps, url);
  },
  change(deps, before, changes) {
    const config = configOf(before);
    const { url = config.url, format = config.format, mapping = before.mapping } = changes;
    requireMapping({ format, mapping });
    const { names, headersCiphertext } = headersAfter(deps, before, url, changes.headers);
    return {
      kind: 'webhook',
      config: { url, format, headers: names },
      ...{ mapping, headersCiphertext, secret: null },
      perSecond: changes.per_second ?? before.perSecond,
      isOtherPlace: changes.url !== undefined || changes.headers !== undefined,
    };
  },
};

function configOf(record: DestinationRecord): WebhookConfig {
  if (record.kind !== 'webhook') throw new Error('not a webhook');
  return record.config;
}

export function requireMapping({
  format,
  mapping,
}: {
  readonly format: Format;
  readonly mapping: Mapping;
}): void {
  if (format !== 'mapped' || mapping.length > 0) return;
  throw invalidInput([{ field: 'mapping', message: 'the format `mapped` needs at least one row' }]);
}

interface EncryptedHeaders {
  readonly names: readonly string[];
  readonly headersCiphertext: Buffer | null;
}

/** Headers are never sent to a host that they were not given for: their values are often keys. */
function headersAfter(
  deps: ManagementDeps,
  before: DestinationRecord,
  url: string,
  headers: DestinationChanges['headers'],
): EncryptedHeaders {
  if (headers !== undefined) return encryptHeaders(deps, before.id, headers);
  const config = configOf(before);
  const isSameHost = new URL(url).origin === new URL(config.url).origin;
  if (!isSameHost) return { names: [], headersCiphertext: null };
  return { names: config.headers, headersCiphertext: before.headersCiphertext };
}

/** The names can be shown, the values cannot. */
function encryptHeaders(
  { secretBox }: ManagementDeps,
  destinationId: string,
  headers: Readonly<Record<string, string>>,
): EncryptedHeaders {
  const names = Object.keys(headers);
  if (names.length === 0) return { names, headersCiphertext: null };
  const owner = destinationHeadersOwner(destinationId);
  return { names, headersCiphertext: secretBox.seal(JSON.stringify(headers), owner) };
}
