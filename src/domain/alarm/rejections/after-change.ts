import { dayMs, hourMs, secondMs } from '../../../time/clock.ts';
import type { RejectionReason } from '../../rejection.ts';
import type { Surface } from '../../surface.ts';
import type { AlarmEnd } from '../alarm.ts';

/** A completed entry of the audit log. */
export interface AuditedChange {
  readonly workspaceId: string;
  readonly action: string;
  readonly formId: string | null;
  readonly tokenId: string | null;
  readonly at: Date;
  readonly actorKind: 'person' | 'operator_key' | 'api_key' | 'nobody';
  readonly actorName: string;
  readonly changes: Readonly<Record<string, unknown>>;
  /** What the entry names, as it was called at the time. */
  readonly names: Readonly<Record<string, string>>;
}

/** What a change can cause. */
export interface Cause {
  readonly change: AuditedChange;
  readonly reason: RejectionReason;
  /** When the first request can be rejected for it. */
  readonly effectiveAt: Date;
  readonly text: string;
  /** Its alarm is about the workspace, not about the form or token that was changed. */
  readonly isOfWorkspace?: boolean;
}

/** The action is the name of the operation in the management API. */
type Causing = (change: AuditedChange) => Omit<Cause, 'change'>[];

const causing: Readonly<Record<string, Causing>> = {
  setOrRotateTheWebhookSecret: ({ at, changes, names }) => [
    {
      reason: 'signature_mismatch',
      effectiveAt: secondsAfter(at, changes.overlap_seconds),
      text: names.webhook_secret === undefined ? 'Set a webhook secret' : 'Rotated the webhook secret',
    },
  ],
  endTheOverlapOfARotation: ({ at }) => [
    { reason: 'signature_mismatch', effectiveAt: at, text: 'Ended the overlap of two webhook secrets' },
  ],
  removeTheWebhookSecret: ({ at }) => [
    { reason: 'secret_not_configured', effectiveAt: at, text: 'Removed the webhook secret' },
  ],
  rotateAnIngestToken: ({ at, changes }) => [
    {
      reason: 'token_revoked',
      effectiveAt: secondsAfter(at, changes.grace_seconds),
      text: 'Rotated the ingest token',
    },
  ],
  revokeAnIngestToken: ({ at }) => [
    { reason: 'token_revoked', effectiveAt: at, text: 'Revoked the ingest token' },
  ],
  changeAForm: ({ at, changes, names }) => {
    const causes: Omit<Cause, 'change'>[] = [];
    if (changes.active === false)
      causes.push({ reason: 'form_inactive', effectiveAt: at, text: 'Deactivated the form' });
    // A call may also send the slug that the form has.
    if (changes.slug !== undefined && changes.slug !== names.slug)
      causes.push({ reason: 'form_unknown', effectiveAt: at, text: slugText(names.slug, changes.slug) });
    return causes;
  },
  deleteAForm: ({ at, names }) => [
    {
      isOfWorkspace: true,
      reason: 'form_unknown',
      effectiveAt: at,
      text: names.form === undefined ? 'Deleted a form' : `Deleted the form ${names.form}`,
    },
  ],
  setHowWebPagesSendLeadsToAForm: ({ at, changes }) => [
    { reason: 'origin_not_allowed', effectiveAt: at, text: 'Changed the web page settings' },
    {
      reason: 'browser_disabled',
      effectiveAt: at,
      text: changes.enabled === false ? 'Turned off leads from web pages' : 'Changed the web page settings',
    },
  ],
  renameSuspendOrResumeAWorkspace: ({ at, changes }) =>
    changes.status === 'suspended'
      ? [
          {
            isOfWorkspace: true,
            reason: 'workspace_suspended',
            effectiveAt: at,
            text: 'Suspended the workspace',
          },
        ]
      : [],
};

export const causingActions = Object.keys(causing);
/** Overlaps and grace periods are not longer: what such a change causes may come so much later. */
export const delayMsMax = 7 * dayMs;
export const delayedActions = ['setOrRotateTheWebhookSecret', 'rotateAnIngestToken'];

export function causesOf(change: AuditedChange): Cause[] {
  return (causing[change.action]?.(change) ?? []).map((cause) => ({ ...cause, change }));
}

function slugText(before: string | undefined, slug: unknown): string {
  return before === undefined ? `Changed the slug to ${slug}` : `Changed the slug from ${before} to ${slug}`;
}

function secondsAfter(at: Date, seconds: unknown): Date {
  return new Date(at.getTime() + (typeof seconds === 'number' ? seconds * secondMs : 0));
}

/**
 * How it is known that the requests come from a sender of the workspace:
 * - counted: the counts say how many had proven it
 * - implied: without a valid token there is no such rejection
 * - unproven: anyone can send them, so only if leads came, no longer come, and were never rejected like this
 */
type Proof = 'counted' | 'implied' | 'unproven';

interface CausedRejection {
  readonly surfaces: Partial<Readonly<Record<Surface, Proof>>>;
  /** Where an alarm is about the workspace: leads of several sources, or of a form that is no more. */
  readonly ofWorkspace?: readonly Surface[];
}

const caused: Partial<Readonly<Record<string, CausedRejection>>> = {
  signature_mismatch: { surfaces: { webhook: 'unproven' } },
  secret_not_configured: { surfaces: { webhook: 'unproven' } },
  token_revoked: { surfaces: { server: 'unproven' } },
  form_inactive: {
    surfaces: { server: 'counted', webhook: 'counted', browser: 'unproven' },
  },
  // A token of a form that was deleted, or a former slug of a form that was not.
  form_unknown: { surfaces: { server: 'implied', webhook: 'unproven' }, ofWorkspace: ['server'] },
  origin_not_allowed: { surfaces: { browser: 'unproven' } },
  browser_disabled: { surfaces: { browser: 'unproven' } },
  workspace_suspended: {
    surfaces: { server: 'counted', webhook: 'counted' },
    ofWorkspace: ['server', 'webhook'],
  },
};

export function causedRejection(reason: string): CausedRejection | null {
  return caused[reason] ?? null;
}

/** Rejections of one reason on one surface since a change took effect. */
export interface RejectionsSince {
  /** Of the day before. */
  readonly before: number;
  readonly rejected: number;
  readonly proven: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
}

const causedWithinMs = hourMs;
const acceptedBeforeMsMax = 7 * dayMs;
// Another instance may not have heard of the change yet.
const propagationMs = 10 * secondMs;
const overMs = dayMs;
/** How long after it took effect a change is looked for: counts may be written late. */
export const changeAgeMsMax = 2 * hourMs;

export function isCausedBy(
  effectiveAt: Date,
  proof: Proof,
  since: RejectionsSince,
  lastAcceptedAt: Date | null,
): boolean {
  const effective = effectiveAt.getTime();
  if (since.firstAt === null || since.firstAt.getTime() > effective + causedWithinMs) return false;
  if (proof === 'counted') return since.proven > 0;
  if (proof === 'implied') return since.rejected > 0;
  if (lastAcceptedAt === null || since.before > 0) return false;
  const accepted = lastAcceptedAt.getTime();
  return accepted >= effective - acceptedBeforeMsMax && accepted <= effective + propagationMs;
}

interface SinceChange {
  readonly since: Date;
  readonly isUnproven: boolean;
  readonly lastRejectedAt: Date | null;
  readonly lastAcceptedAt: Date | null;
  readonly now: Date;
}

/**
 * Null while it lasts. A sender that gave up has not recovered. Unproven rejections may continue forever: there, any lead since
 * the change says that it works.
 */
export function endOfAfterChange(known: SinceChange): AlarmEnd | null {
  const { since, isUnproven, lastRejectedAt, lastAcceptedAt, now } = known;
  if (lastAcceptedAt !== null) {
    if (isUnproven && lastAcceptedAt.getTime() > since.getTime() + propagationMs) return 'recovered';
    if (lastRejectedAt !== null && lastAcceptedAt > lastRejectedAt) return 'recovered';
  }
  const isQuiet = lastRejectedAt === null || now.getTime() - lastRejectedAt.getTime() >= overMs;
  return isQuiet ? 'removed' : null;
}

/** Who made the change, as the alarm names them. */
export function authorOf({ actorKind, actorName, names }: AuditedChange): string {
  if (actorKind === 'operator_key') return 'the operator';
  if (actorKind === 'api_key') return `API key ${actorName}`;
  return actorKind === 'nobody' ? 'unknown' : (names.actor ?? actorName);
}
