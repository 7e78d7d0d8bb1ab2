import type { Token } from '../../../src/contract/token.ts';

/** As they come, but each token that was rotated right below its successor. */
export function inOrder(tokens: readonly Token[]): Token[] {
  const byId = new Map(tokens.map((token) => [token.id, token]));
  const withFormer = (token: Token): Token[] => {
    const former = token.replaces === null ? undefined : byId.get(token.replaces);
    return former === undefined ? [token] : [token, ...withFormer(former)];
  };
  return tokens
    .filter(({ replaced_by }) => replaced_by === null || !byId.has(replaced_by))
    .flatMap(withFormer);
}
