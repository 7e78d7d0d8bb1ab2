import type { KeyObject } from 'node:crypto';
import { mintBrowserToken } from '../../../domain/browser/browser-token.ts';
import {
  type Challenge,
  isChallengeSignedWith,
  jtiOf,
  type ReadChallenge,
  readChallenge,
} from '../../../domain/browser/challenge.ts';
import { dummyWorkspaceId } from '../../../domain/browser/dummy-keys.ts';
import type { CaptchaQuestion } from '../../../domain/browser/mint/captcha.ts';
import { challengeSeconds, isCaptcha, type ProofKind } from '../../../domain/browser/protection.ts';
import type { BrowserSigningKeys } from '../../../domain/browser/signing-keys.ts';
import { isFasterThanWork, parseSolution } from '../../../domain/browser/work.ts';
import { type Clock, secondMs } from '../../../time/clock.ts';
import type { Directory } from '../../directory/directory.ts';
import type { WorkChecks } from '../solutions/work-checks.ts';
import type { Granted } from './issue-challenge.ts';
import { type Issuer, issuerById, originRefusal, Refused } from './issuer.ts';
import type { MintLimits } from './mint-limits.ts';
import type { Visit } from './visit.ts';

/** Asks a third party whether it has seen a person. `busy` if too many such questions are open. */
type VerifyCaptcha = (question: CaptchaQuestion) => Promise<boolean | 'busy'>;

export interface ExchangeDeps {
  readonly directory: Directory;
  readonly keys: BrowserSigningKeys;
  readonly limits: MintLimits;
  readonly work: Pick<WorkChecks, 'mayAccept' | 'check'>;
  readonly verifyCaptcha: VerifyCaptcha;
  readonly clock: Pick<Clock, 'now' | 'turn'>;
}

/** A challenge of ours that a page sent back, and what it sent with it. */
interface Attempt {
  readonly visit: Visit;
  readonly issuer: Issuer;
  readonly challenge: Challenge;
  readonly solution: string;
}

/** Each challenge is tried once: it is spent before its solution is checked. */
export async function exchangeChallenge(visit: Visit, deps: ExchangeDeps): Promise<Granted | Refused> {
  const attempt = readAttempt(visit, deps);
  if (attempt instanceof Refused) return attempt;
  const { issuer, challenge } = attempt;
  const { form, formId } = issuer;
  if (!(await deps.limits.allowsNetwork(visit.network, visit.at))) return new Refused('mint_limited', form);
  const isFirst = await deps.limits.spend(challenge.nonce);
  if (!isFirst || issuer.dummy === 'spent') return new Refused('challenge_failed', form);
  const proven = await prove(attempt, deps);
  if (proven !== 'proven') return new Refused(proven, form);
  if (!(await deps.limits.allowsForm(formId, visit.at))) return new Refused('mint_limited', form);
  return granted(attempt, deps);
}

function readAttempt(visit: Visit, deps: ExchangeDeps): Attempt | Refused {
  const { body, origin, at } = visit;
  const { challenge: text, solution: given } = body ?? {};
  const solution = parseSolution(given);
  const read = typeof text === 'string' ? readChallenge(text) : null;
  if (read === null || solution === null) return new Refused('request_malformed', null);
  const { challenge } = read;
  const issuer = issuerById(deps.directory, challenge.workspaceId, challenge.formId);
  if (isCrowded(issuer, visit, deps)) return new Refused('mint_limited', issuer.form);
  const key = keyOf(read, deps);
  if (key === null || !isChallengeSignedWith(read, key)) return new Refused('challenge_failed', null);
  if (issuer instanceof Refused) return issuer;
  if (challenge.issuedAt + challengeSeconds * secondMs <= at)
    return new Refused('challenge_failed', issuer.form);
  const refusal = originRefusal(issuer, origin, at);
  if (refusal !== null) return refusal;
  if (origin !== challenge.origin) return new Refused('origin_not_allowed', issuer.form);
  return { visit, issuer, challenge, solution };
}

/** Known before anything is verified, so that a flood of solutions costs as little as possible. */
function isCrowded(issuer: Issuer | Refused, { network }: Visit, { work }: ExchangeDeps): boolean {
  if (issuer instanceof Refused || issuer.protection !== 'work') return false;
  return !work.mayAccept(issuer.formId, network);
}

/**
 * Keys of workspaces that do not exist are not derived: anyone can name any number of them. The key of the dummy workspace
 * takes their place, so that it takes as long, and matches none of them.
 */
function keyOf(
  { kid, challenge: { workspaceId } }: ReadChallenge,
  { directory, keys }: ExchangeDeps,
): KeyObject | null {
  const isKnown = directory.workspace(workspaceId) !== null;
  return keys.find('challenges', isKnown ? workspaceId : dummyWorkspaceId, kid);
}

/** What the form demands now counts, whatever it demanded when the challenge was issued. */
async function prove(
  { visit, issuer, challenge, solution }: Attempt,
  deps: ExchangeDeps,
): Promise<'proven' | 'challenge_failed' | 'mint_limited'> {
  const { protection, captcha, formId } = issuer;
  const { nonce, salt, cost, bits } = challenge;
  if (protection === 'none') return 'proven';
  if (protection === 'work') {
    if (bits === 0) return 'challenge_failed';
    const result = await deps.work.check(formId, visit.network, { nonce, salt, cost, bits, solution });
    return workVerdicts[result];
  }
  const response = visit.body?.captcha;
  if (!isCaptcha(protection) || captcha === null || typeof response !== 'string' || response === '')
    return 'challenge_failed';
  const { origin } = challenge;
  const verdict = await deps.verifyCaptcha({
    ...captcha,
    ...{ provider: protection, response, origin, formId, nonce },
  });
  if (verdict === 'busy') return 'mint_limited';
  return verdict ? 'proven' : 'challenge_failed';
}

const workVerdicts = { solved: 'proven', wrong: 'challenge_failed', dropped: 'mint_limited' } as const;

/** How long it took is known only here: the lead was complete before the work began. */
function proofOf({ visit, issuer, challenge, solution }: Attempt): ProofKind {
  if (issuer.protection !== 'work') return issuer.protection;
  const tookMs = visit.at - challenge.issuedAt;
  return isFasterThanWork(solution, challenge.bits, tookMs) ? 'fast_work' : 'work';
}

function granted(attempt: Attempt, { keys, clock }: ExchangeDeps): Granted {
  const { issuer, challenge } = attempt;
  const { workspaceId, formId, epoch, ttlSeconds } = issuer;
  const issuedAt = Math.floor(clock.now() / secondMs);
  const { origin, bodyHash } = challenge;
  const token = mintBrowserToken(
    {
      ...{ workspaceId, formId, epoch, origin, issuedAt, bodyHash },
      expiresAt: issuedAt + ttlSeconds,
      jti: jtiOf(challenge),
      proof: proofOf(attempt),
    },
    keys.current('tokens', workspaceId),
  );
  return { issuer, answer: { token, expires_in: ttlSeconds } };
}
