import type { DestinationChanges } from '../../../contract/destinations/destination-settings.ts';
import type { DestinationKind } from '../../../domain/destination/destination.ts';
import { kindEvents } from '../../../domain/destination/kind/kind-settings.ts';
import { invalidInput } from '../../calls/problem.ts';
import { chatKind } from './chat.ts';
import { emailKind } from './email.ts';
import { hubspotKind } from './hubspot.ts';
import type { ManagedKind } from './managed-kind.ts';
import { webhookKind } from './webhook.ts';

const kinds = { webhook: webhookKind, email: emailKind, chat: chatKind, hubspot: hubspotKind };

export function managedKind(kind: DestinationKind): ManagedKind {
  return kinds[kind] as ManagedKind;
}

/** A change names only what the destination has. */
export function requireMembers(kind: DestinationKind, changes: DestinationChanges): void {
  const ofSome = new Set(Object.values(kinds).flatMap(({ members }) => members));
  const ofKind = new Set(kinds[kind].members);
  const foreign = Object.keys(changes).filter(
    (name) => ofSome.has(name as keyof DestinationChanges) && !ofKind.has(name as keyof DestinationChanges),
  );
  const errors = foreign.map((field) => ({ field, message: `a destination of the kind ${kind} has none` }));
  const known = kindEvents[kind];
  if (changes.events?.some((type) => !known.includes(type)))
    errors.push({ field: 'events', message: `use one of ${known.join(', ')}` });
  if (errors.length > 0) throw invalidInput(errors);
}
