import { firstPauseMs, keepaliveBytesMax, marginMs, renewalsMax, timeoutMs, triesMax } from './limits.ts';
import type { Waiting } from './queue.ts';
import type { Result } from './result.ts';
import { bytesOf, type Challenge, hashOf, solve } from './work.ts';

interface Created {
  readonly token: string;
  /** Seconds. */
  readonly expires_in: number;
}

export const refused: Result = { reason: 'refused' };

/**
 * Sends a lead until there is a response, always with the same bytes and token, which make one lead however often they
 * arrive. After a request without response only this token is used, even when it has expired: another one could create a
 * second lead, while the service keeps what comes with an expired token for its owner. `save` is called before each request.
 */
export async function deliver(lead: Waiting, save: () => void): Promise<Result> {
  let renewals = renewalsMax;
  for (let tries = 0; ; tries++) {
    try {
      if (!lead.token || (isExpired(lead) && !lead.sent)) {
        const challenge = await ask<Challenge>(lead, 'challenges', {
          key: lead.key,
          body_hash: await hashOf(lead.body),
        });
        if (!challenge) return refused;
        const solution = await solve(challenge);
        const now = Date.now();
        const steadyNow = performance.now();
        const created = await ask<Created>(lead, 'tokens', {
          challenge: challenge.challenge,
          solution,
          captcha: lead.captcha,
        });
        if (!created && !renewals--) return refused;
        // The next one after a pause, because it may be a limit that soon ends.
        if (!created) throw refused;
        const validMs = created.expires_in * 1e3 - marginMs;
        lead.token = created.token;
        lead.until = now + validMs;
        lead.steadyUntil = steadyNow + validMs;
      }
      const isUncertain = lead.sent;
      lead.sent = true;
      save();
      const response = await post(lead, 'submissions', lead.body, {
        headers: { authorization: `Bearer ${lead.token}`, 'content-type': 'application/json' },
        keepalive: bytesOf(lead.body).length < keepaliveBytesMax,
      });
      if (response.status === 202) return await response.json();
      if (response.status === 200) {
        if (isUncertain || !isExpired(lead) || !renewals--) return { reason: 'rejected' };
        lead.sent = false;
      }
    } catch {}
    if (tries === triesMax - 1) return { reason: 'offline' };
    await pause(firstPauseMs << tries);
  }
}

/** By either clock: the wall clock may be set back, and the steady one may stop while the device sleeps. */
function isExpired({ until, steadyUntil }: Waiting): boolean {
  return Date.now() > (until as number) || performance.now() > (steadyUntil as number);
}

/** Undefined if the service refuses. Throws if the outcome is not known. */
async function ask<Answer>(lead: Waiting, path: string, question: object): Promise<Answer | undefined> {
  const response = await post(lead, path, JSON.stringify(question));
  if (response.status === 201) return response.json();
  if (response.status !== 403) throw response;
  return;
}

function post({ url }: Waiting, path: string, body: string, more?: RequestInit): Promise<Response> {
  return fetch(`${url}/api/v1/browser/${path}`, {
    method: 'POST',
    body,
    credentials: 'omit',
    signal: AbortSignal.timeout(timeoutMs),
    ...more,
  });
}

/** Ends early when the browser is online again. */
const pause = (ms: number): Promise<unknown> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    addEventListener('online', resolve, { once: true });
  });
