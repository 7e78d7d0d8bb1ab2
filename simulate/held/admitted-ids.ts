import type { World } from '../world.ts';

/** Also of leads that were erased since. */
export function admittedIds({ server, delivery }: World): ReadonlySet<string> {
  const stored = server.tables.held.recoveries.values().map(({ submissionId }) => submissionId);
  return new Set([...stored, ...(delivery?.owners.erasedAdmitted ?? [])]);
}

/** Of bodies that differed from the lead of their key, which an owner made leads of their own. */
export function idsOfReusedKeys({ server }: World): ReadonlySet<string> {
  const requests = [...server.tables.held.requests.values()];
  const ofReusedKeys = requests.filter(({ reason }) => reason === 'idempotency_key_reused');
  return new Set(ofReusedKeys.flatMap(({ submissionId }) => submissionId ?? []));
}
