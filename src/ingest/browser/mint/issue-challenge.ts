import { bodyHashBytes } from '../../../domain/browser/browser-token.ts';
import { signChallenge } from '../../../domain/browser/challenge.ts';
import { challengeSeconds, isCaptcha } from '../../../domain/browser/protection.ts';
import type { BrowserSigningKeys } from '../../../domain/browser/signing-keys.ts';
import { workBits, workCost } from '../../../domain/browser/work.ts';
import type { Randomness } from '../../../time/randomness.ts';
import type { Directory } from '../../directory/directory.ts';
import { type Issuer, issuerByKey, originRefusal, Refused } from './issuer.ts';
import type { MintLimits } from './mint-limits.ts';
import type { Visit } from './visit.ts';

export interface ChallengeDeps {
  readonly directory: Directory;
  readonly keys: BrowserSigningKeys;
  readonly limits: MintLimits;
  readonly randomness: Randomness;
}

/** What a page gets, and for what. */
export interface Granted {
  readonly issuer: Issuer;
  readonly answer: object;
}

const nonceBytes = 16;
const saltBytes = 16;
/** So that the tests of a customer's page take no time. */
const dummyBits = 1;
const bodyHashShape = /^[0-9a-f]{64}$/;

/**
 * Nothing is derived or signed before all checks have passed, so that a refusal takes the same time whether the key exists
 * or not.
 */
export function issueChallenge(visit: Visit, deps: ChallengeDeps): Granted | Refused {
  const { body, origin, at } = visit;
  const { key, body_hash: bodyHash } = body ?? {};
  if (typeof key !== 'string' || typeof bodyHash !== 'string' || !bodyHashShape.test(bodyHash))
    return new Refused('request_malformed', null);
  const issuer = issuerByKey(deps.directory, key);
  if (issuer instanceof Refused) return issuer;
  const refusal = originRefusal(issuer, origin, at);
  if (refusal !== null || origin === null) return refusal ?? new Refused('origin_missing', issuer.form);
  const { workspaceId, formId, protection, captcha } = issuer;
  // Its secret cannot be decrypted, so no visitor can be confirmed.
  if (isCaptcha(protection) && captcha === null) return new Refused('challenge_failed', issuer.form);
  const nonce = deps.randomness.hex(nonceBytes);
  const salt = deps.randomness.hex(saltBytes);
  const bits = bitsFor(issuer, visit, deps.limits);
  const challenge = signChallenge(
    {
      ...{ workspaceId, formId, origin, nonce, salt, cost: workCost, bits },
      issuedAt: at,
      bodyHash: Buffer.from(bodyHash, 'hex').subarray(0, bodyHashBytes),
    },
    deps.keys.current('challenges', workspaceId),
  );
  const answer = { challenge, nonce, salt, cost: workCost, bits, expires_in: challengeSeconds };
  if (!isCaptcha(protection) || captcha === null) return { issuer, answer };
  return { issuer, answer: { ...answer, captcha: { provider: protection, site_key: captcha.siteKey } } };
}

/** Without proof of work it is 0, which every solution meets. */
function bitsFor({ protection, dummy }: Issuer, { network, at }: Visit, limits: MintLimits): number {
  const perMinute = limits.challenged(network, at);
  if (dummy !== null) return dummyBits;
  return protection === 'work' ? workBits(perMinute) : 0;
}
