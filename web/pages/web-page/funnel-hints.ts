import type { BrowserActivity } from '../../../src/contract/browser/activity.ts';

export type OriginActivity = BrowserActivity['origins'][number];

/** Fewer say nothing: a visitor may just have left. */
const enough = 5;

/** Where an origin stops on the way to a lead, and what to look at; null if nothing stands out. */
export function hintOf({ challenged, minted, used, accepted, refused }: OriginActivity): string | null {
  const failed = refused.challenge_failed ?? 0;
  if (challenged >= enough && minted === 0)
    return failed > 0
      ? 'Pages ask for challenges but solve none. If these are visitors, load the newest SDK and check the captcha keys. If not, a bot is being stopped.'
      : 'Pages ask for challenges but never for a token: their script stops in between. Look for errors in the console of the page, such as a Content-Security-Policy that blocks requests to this service.';
  if (minted >= enough && used === 0)
    return 'Pages get tokens but send no lead with them. Look for errors in the console of the page, or a proxy that removes the Authorization header.';
  if (used >= enough && accepted === 0)
    return 'Leads arrive with tokens, and none is accepted. Diagnostics show why.';
  return null;
}

export interface Refusal {
  readonly reason: string;
  readonly count: number;
  readonly origins: readonly string[];
}

/** Most frequent first. */
export function refusalsOf(origins: readonly OriginActivity[]): Refusal[] {
  const byReason = new Map<string, Refusal>();
  for (const { origin, refused } of origins)
    for (const [reason, count] of Object.entries(refused)) {
      const before = byReason.get(reason);
      byReason.set(reason, {
        reason,
        count: (before?.count ?? 0) + count,
        origins: [...(before?.origins ?? []), origin],
      });
    }
  return [...byReason.values()].toSorted((one, other) => other.count - one.count);
}
