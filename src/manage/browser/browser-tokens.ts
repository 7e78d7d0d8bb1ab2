import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { mintBody, mintedToken } from '../../contract/browser/activity.ts';
import {
  type BrowserForm,
  type BrowserSettingsRecord,
  findBrowserForm,
} from '../../db/browser/browser-settings.ts';
import { jtiBytes, mintBrowserToken } from '../../domain/browser/browser-token.ts';
import { isAllowedOrigin, isLocalhost, normalOrigin, originRules } from '../../domain/browser/origin.ts';
import { secondMs } from '../../time/clock.ts';
import type { Principal } from '../calls/access.ts';
import { invalidInput, notFound, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

type Wanted = z.output<typeof mintBody>;

/** For a backend with an API key. The operator key may name a form of any workspace. */
export async function mintToken(
  { pool, clock, browserKeys }: ManagementDeps,
  principal: Principal,
  wanted: Wanted,
): Promise<z.output<typeof mintedToken>> {
  const workspaceId = principal.kind === 'api_key' ? principal.key.workspaceId : null;
  const form = await findBrowserForm(pool, workspaceId, wanted.form);
  if (form === null) throw notFound('form');
  const now = clock.now();
  const settings = requireEnabled(form);
  const origin = requireOrigin(settings, wanted.origin, now);
  const issuedAt = Math.floor(now / secondMs);
  const seconds = wanted.ttl_s ?? settings.ttlSeconds;
  const claims = {
    workspaceId: form.workspaceId,
    formId: wanted.form,
    epoch: settings.epoch,
    origin,
    issuedAt,
    expiresAt: issuedAt + seconds,
    jti: randomBytes(jtiBytes),
    bodyHash: wanted.body_hash === undefined ? null : Buffer.from(wanted.body_hash, 'hex'),
    proof: 'backend' as const,
  };
  const token = mintBrowserToken(claims, browserKeys.current('tokens', form.workspaceId));
  return { token, expires_in: seconds };
}

/** A token that would be rejected is of no use to its sender, who learns here why. */
function requireEnabled({ isSuspended, isActive, settings }: BrowserForm): BrowserSettingsRecord {
  if (isSuspended)
    throw new Problem('suspended', 'The workspace is suspended, so its forms accept no leads.');
  if (!isActive) throw new Problem('browser_disabled', 'The form is inactive. Activate it to accept leads.');
  if (settings?.enabled === true) return settings;
  throw new Problem(
    'browser_disabled',
    'Web pages cannot send leads to this form. Turn on “Web page” in its delivery settings.',
  );
}

/** In the spelling of browsers, which the token is compared with. */
function requireOrigin(
  { origins, localhostUntil }: BrowserSettingsRecord,
  sent: string,
  now: number,
): string {
  const origin = normalOrigin(sent);
  if (origin === null || origin.includes('*'))
    throw invalidInput([
      { field: 'origin', message: 'must be an origin such as https://www.example.com, without path' },
    ]);
  const isOpenToLocalhost = localhostUntil !== null && now < localhostUntil.getTime();
  if (isAllowedOrigin(originRules(origins), origin) || (isOpenToLocalhost && isLocalhost(origin)))
    return origin;
  throw invalidInput([{ field: 'origin', message: 'is not among the allowed origins of this form' }]);
}
