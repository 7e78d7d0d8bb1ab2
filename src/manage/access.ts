import { operatorKeyCheck } from '../domain/operator-key.ts';
import { Problem } from './problem.ts';

/** Who calls. People with sessions and roles come with the settings area. */
export interface Principal {
  readonly kind: 'operator';
}

/** The least that a route asks for: the operator, or a role in the workspace of its path. The operator has all. */
export type Access = 'operator' | 'owner' | 'member';

/** Finds out who sends a request, or throws. */
export type Authenticate = (authorization: string | undefined) => Principal;

export function authenticateWith(operatorKey: string): Authenticate {
  const check = operatorKeyCheck(operatorKey);
  return (authorization) => {
    const verdict = check(authorization);
    if (verdict === 'right') return { kind: 'operator' };
    const detail =
      verdict === 'missing' ? 'Send the header Authorization: Bearer <operator key>.' : 'The key is wrong.';
    throw new Problem('unauthorized', detail, { headers: { 'www-authenticate': 'Bearer' } });
  };
}

/** Closed to every kind of principal that is not named here. */
export function requireAccess(principal: Principal, access: Access): void {
  if (principal.kind !== 'operator') throw new Problem('forbidden', `This needs the role ${access}.`);
}

export function requireOperator(principal: Principal, action: string): void {
  if (principal.kind !== 'operator') throw new Problem('forbidden', `Only the operator may ${action}.`);
}

/** How a person or key is called in what is kept of his deeds. */
export function nameOf(principal: Principal): string {
  return principal.kind;
}
