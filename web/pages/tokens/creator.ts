import type { Token } from '../../../src/contract/tokens.ts';

/** Who created a token: a person, an API key or the operator. */
export function creatorName(creator: Token['created_by']): string {
  if (creator === null) return 'Unknown';
  if (creator.kind === 'operator_key') return 'Operator';
  if (creator.kind === 'api_key') return `API key ${creator.name ?? '(deleted)'}`;
  return creator.name ?? 'Former member';
}
