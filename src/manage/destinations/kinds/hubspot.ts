import type { DestinationRecord } from '../../../db/deliver/destinations.ts';
import type { HubspotProperty } from '../../../domain/destination/hubspot/contact-mapping.ts';
import { mappingProblems } from '../../../domain/destination/hubspot/contact-mapping.ts';
import { kindPerSecond } from '../../../domain/destination/kind/kind-settings.ts';
import type { Mapping } from '../../../domain/destination/mapping.ts';
import { destinationSecretOwner } from '../../../domain/destination/secrets.ts';
import { SealedError } from '../../../domain/secrets/secret-box.ts';
import { invalidInput, Problem } from '../../calls/problem.ts';
import type { ManagementDeps } from '../../deps.ts';
import { requireTestRate } from '../destination-checks.ts';
import type { ManagedKind } from './managed-kind.ts';

export const hubspotKind: ManagedKind<'hubspot'> = {
  members: ['token', 'mapping'],
  async create(deps, _id, { token, mapping }, { workspaceId }) {
    requireMapping(mapping, await propertiesOf(deps, workspaceId, token));
    const perSecond = kindPerSecond.hubspot;
    return { kind: 'hubspot', config: {}, mapping, headersCiphertext: null, perSecond, secret: token };
  },
  async check(deps, before, { token, mapping }) {
    if (token === undefined && mapping === undefined) return;
    const properties = await propertiesOf(deps, before.workspaceId, token ?? storedToken(deps, before));
    requireMapping(mapping ?? before.mapping, properties);
  },
  change(_deps, before, { token = null, mapping }) {
    return {
      kind: 'hubspot',
      config: {},
      mapping: mapping ?? before.mapping,
      ...{ headersCiphertext: null, perSecond: before.perSecond, secret: token },
      // Both can be what HubSpot refused.
      isOtherPlace: token !== null || mapping !== undefined,
    };
  },
};

/** Asks HubSpot, so nothing is saved that cannot work. */
export async function propertiesOf(
  deps: ManagementDeps,
  workspaceId: string,
  token: string,
  ended: AbortSignal = new AbortController().signal,
): Promise<readonly HubspotProperty[]> {
  requireTestRate(deps, workspaceId);
  const found = await deps.hubspotProperties(token, ended);
  if (!('reason' in found)) return found;
  const { reason, text } = found;
  if (reason !== 'unavailable') throw invalidInput([{ field: 'token', message: text.replace(/\.$/, '') }]);
  throw new Problem(
    'unavailable',
    `HubSpot could not be asked for the properties of contacts. ${text} Nothing was saved.`,
  );
}

export function storedToken({ secretBox }: ManagementDeps, destination: DestinationRecord): string {
  try {
    return secretBox.open(destination.secretCiphertext, destinationSecretOwner(destination.id));
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    throw invalidInput([
      { field: 'token', message: 'the stored token cannot be decrypted, so send a new one' },
    ]);
  }
}

function requireMapping(mapping: Mapping, properties: readonly HubspotProperty[]): void {
  const errors = mappingProblems(mapping, properties).map(({ place, message }) => ({
    field: place === null ? 'mapping' : `mapping[${place}]`,
    message,
  }));
  if (errors.length > 0) throw invalidInput(errors);
}
