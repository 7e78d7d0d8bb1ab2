import type { DestinationSettings } from '../../db/deliver/destinations.ts';
import { findFormNames } from '../../db/forms/forms.ts';
import type { Queryable } from '../../db/pool.ts';
import { destinationHeadersOwner } from '../../domain/destination/secrets.ts';
import { urlRefusals } from '../../net/delivery/guard.ts';
import { invalidInput } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

/** The same rules as when something is sent, so that an owner learns now what would fail every lead. */
export async function requireUrl({ deliveryHttp }: ManagementDeps, url: string): Promise<void> {
  const refusal = await deliveryHttp.refusal(url);
  if (refusal === null) return;
  throw invalidInput([{ field: 'url', message: urlRefusals[refusal].replace(/\.$/, '') }]);
}

export async function requireForms(
  db: Queryable,
  workspaceId: string,
  formIds: readonly string[] | null,
): Promise<void> {
  if (formIds === null) return;
  const found = new Set((await findFormNames(db, workspaceId, formIds)).map(({ id }) => id));
  const errors = [...formIds.entries()].filter(([, id]) => !found.has(id));
  if (errors.length === 0) return;
  throw invalidInput(
    errors.map(([place]) => ({ field: `form_ids[${place}]`, message: 'does not exist in this workspace' })),
  );
}

export function requireMapping({ format, mapping }: Pick<DestinationSettings, 'format' | 'mapping'>): void {
  if (format !== 'mapped' || mapping.length > 0) return;
  throw invalidInput([{ field: 'mapping', message: 'the format `mapped` needs at least one row' }]);
}

/** The names can be shown, the values cannot. */
export function encryptHeaders(
  { secretBox }: ManagementDeps,
  destinationId: string,
  headers: Readonly<Record<string, string>>,
): Pick<DestinationSettings, 'headerNames' | 'headersCiphertext'> {
  const headerNames = Object.keys(headers);
  if (headerNames.length === 0) return { headerNames, headersCiphertext: null };
  const owner = destinationHeadersOwner(destinationId);
  return { headerNames, headersCiphertext: secretBox.seal(JSON.stringify(headers), owner) };
}
