import type { z } from 'zod';
import { alarmCalls } from './alarms/alarms.ts';
import { listAudit, listOperatorAudit } from './audit.ts';
import { browserCalls } from './browser/calls.ts';
import type { CallDeclaration, PathParams } from './call.ts';
import {
  listDeliveries,
  listLeadDeliveries,
  readDelivery,
  readReplay,
  replayDeliveries,
  replayDelivery,
} from './destinations/deliveries.ts';
import {
  changeDestination,
  checkDestination,
  createDestination,
  deleteDestination,
  dryRunDestination,
  dryRunNewDestination,
  listDestinations,
  pauseDestination,
  readDestination,
  resumeDestination,
  rotateDestinationSecret,
  testDestination,
} from './destinations/destinations.ts';
import { listEvents, readEventLines } from './destinations/events.ts';
import { hubspotCalls } from './destinations/hubspot.ts';
import { recipientCalls } from './destinations/recipients.ts';
import { readRejectionGroups } from './diagnostics/groups.ts';
import { readRateLimits } from './diagnostics/rate-limits.ts';
import { rejectedRequestCalls } from './diagnostics/rejected-request.ts';
import { readDiagnostics } from './diagnostics.ts';
import {
  readEnrichment,
  readEnrichmentProvider,
  removeEnrichmentProvider,
  setEnrichmentProvider,
} from './enrichment.ts';
import { importFormSchema, readFormSchema } from './forms/schema.ts';
import {
  changeForm,
  checkSlug,
  createForm,
  deleteForm,
  endAlias,
  endSecretOverlap,
  findFormerSlugHolders,
  listFormerSlugs,
  listForms,
  readForm,
  readFormActivity,
  readWebhookSecretUse,
  releaseFormerSlug,
  removeWebhookSecret,
  sendTestLead,
  setWebhookSecret,
} from './forms.ts';
import { heldCalls } from './held/calls.ts';
import { leadActionCalls } from './leads/actions.ts';
import { leadViewCalls } from './leads/views.ts';
import * as leadCalls from './leads.ts';
import { watchChanges } from './live/changes.ts';
import { readHealth, readHealthSeries } from './operator/health.ts';
import {
  changeInstanceSettings,
  changeOperator,
  countUnattributed,
  discardQuarantined,
  listPeople,
  listQuarantine,
  readInstanceSettings,
  readPerson,
  readQuarantined,
  storeQuarantined,
} from './operator.ts';
import { endOtherSessions, endSession, listSessions } from './people/sessions.ts';
import {
  askForPasswordReset,
  checkPassword,
  makeOperatorPasswordLink,
  makePasswordLink,
  readMe,
  readPasswordReset,
  readPasswordResetMail,
  readSetup,
  resetPassword,
  setUp,
} from './people.ts';
import { forgetLearning, readLearning } from './scoring/learning.ts';
import { dryRunScoring, listScoringRules, listScoringVersions, readScoring, setScoring } from './scoring.ts';
import { debugSignature } from './signature-debug.ts';
import { handoverCalls } from './tokens/handover-links.ts';
import { createToken, listTokens, readToken, revokeToken, rotateToken } from './tokens.ts';
import { createApiKey, listApiKeys, readOwnApiKey, revokeApiKey } from './workspaces/api-keys.ts';
import {
  acceptInvitation,
  changeMember,
  changeWorkspace,
  createWorkspace,
  invitePerson,
  listInvitations,
  listMembers,
  listWorkspaces,
  readInvitation,
  readWorkspace,
  removeMember,
  sendInvitationAgain,
  withdrawInvitation,
} from './workspaces.ts';

/** Where two paths match, the first serves: `leads/export` before `leads/:submission_id`. */
const everyCall = [
  readSetup,
  setUp,
  readMe,
  listSessions,
  endSession,
  endOtherSessions,
  checkPassword,
  readInvitation,
  acceptInvitation,
  readPasswordResetMail,
  askForPasswordReset,
  readPasswordReset,
  resetPassword,
  createWorkspace,
  listWorkspaces,
  readWorkspace,
  changeWorkspace,
  listMembers,
  changeMember,
  removeMember,
  makePasswordLink,
  makeOperatorPasswordLink,
  invitePerson,
  sendInvitationAgain,
  listInvitations,
  withdrawInvitation,
  listAudit,
  listOperatorAudit,
  createForm,
  listForms,
  readFormActivity,
  readForm,
  changeForm,
  deleteForm,
  readFormSchema,
  importFormSchema,
  browserCalls.readBrowserSettings,
  browserCalls.setBrowserSettings,
  browserCalls.endBrowserTokens,
  browserCalls.rotateMintSecret,
  browserCalls.readBrowserActivity,
  browserCalls.mintBrowserToken,
  checkSlug,
  listFormerSlugs,
  endAlias,
  releaseFormerSlug,
  findFormerSlugHolders,
  setWebhookSecret,
  removeWebhookSecret,
  endSecretOverlap,
  readWebhookSecretUse,
  sendTestLead,
  debugSignature,
  readScoring,
  setScoring,
  listScoringVersions,
  listScoringRules,
  dryRunScoring,
  readLearning,
  forgetLearning,
  createToken,
  listTokens,
  readToken,
  revokeToken,
  rotateToken,
  ...handoverCalls,
  createApiKey,
  listApiKeys,
  readOwnApiKey,
  revokeApiKey,
  leadCalls.exportLeads,
  ...leadActionCalls,
  leadCalls.listLeads,
  leadCalls.readLead,
  leadCalls.explainLeadScore,
  leadCalls.readLeadBody,
  leadCalls.eraseLead,
  leadCalls.markLead,
  leadCalls.listLeadMarks,
  leadCalls.readLeadHistory,
  leadCalls.readLeadTable,
  leadCalls.arrangeLeadTable,
  leadViewCalls.listLeadViews,
  leadViewCalls.createLeadView,
  leadViewCalls.changeLeadView,
  leadViewCalls.deleteLeadView,
  readEnrichment,
  readEnrichmentProvider,
  setEnrichmentProvider,
  removeEnrichmentProvider,
  createDestination,
  checkDestination,
  listDestinations,
  dryRunNewDestination,
  readDestination,
  changeDestination,
  deleteDestination,
  testDestination,
  rotateDestinationSecret,
  pauseDestination,
  resumeDestination,
  ...recipientCalls,
  ...hubspotCalls,
  dryRunDestination,
  listDeliveries,
  replayDeliveries,
  readReplay,
  readDelivery,
  replayDelivery,
  listLeadDeliveries,
  readEventLines,
  listEvents,
  readDiagnostics,
  ...rejectedRequestCalls,
  readRejectionGroups,
  readRateLimits,
  ...heldCalls,
  ...alarmCalls,
  watchChanges,
  countUnattributed,
  readHealth,
  readHealthSeries,
  readInstanceSettings,
  changeInstanceSettings,
  listPeople,
  readPerson,
  changeOperator,
  listQuarantine,
  readQuarantined,
  storeQuarantined,
  discardQuarantined,
] as const;

/** Every API call, for code that walks the list. */
export const calls: readonly CallDeclaration[] = everyCall;

/** A call with its own schemas. */
type DeclaredCall = (typeof everyCall)[number];

/** Inputs and responses by method and path, for clients. */
export type Calls = { [M in Method]: { [Call in CallsBy<M> as Call['path']]: CallTypes<Call> } };
export type Method = Uppercase<DeclaredCall['method']>;
/** The paged lists among them. */
export type Lists = { [Call in PagedCall as Call['path']]: CallTypes<Call> };
/** A call that returns a file has a URL, and no body to parse. */
export type Files = { [Call in FileCall as Call['path']]: Pick<CallTypes<Call>, 'input'> };

/** The input may be left out when nothing in it is required. */
export type GivenTo<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

export type InputOf<Table, Path extends keyof Table> = Table[Path] extends { input: infer Input }
  ? Input
  : never;
export type AnswerOf<Table, Path extends keyof Table> = Table[Path] extends { answer: infer Body }
  ? Body
  : never;
export type ItemOf<Path extends keyof Lists> =
  AnswerOf<Lists, Path> extends { items: (infer Item)[] } ? Item : never;

type FileCall = Extract<DeclaredCall, { readonly answer: { readonly kind: 'file' } }>;
type PagedCall = Extract<DeclaredCall, { readonly answer: { readonly kind: 'page' } }>;
type CallsBy<M extends Method> = Extract<Exclude<DeclaredCall, FileCall>, { readonly method: Lowercase<M> }>;

interface CallTypes<Call extends CallDeclaration> {
  readonly input: Params<Call['path']> & Part<Call, 'query'> & Part<Call, 'body'>;
  readonly answer: BodyOf<Call['answer'], undefined> | BodyOf<Call['otherAnswer'], never>;
}

type BodyOf<Declared, Without> = Declared extends { readonly body: infer Body extends z.ZodType }
  ? z.output<Body>
  : Without;

type Params<Path extends string> = Path extends `${string}:${string}`
  ? { readonly params: PathParams<Path> }
  : { readonly params?: undefined };

/** Optional as a whole when it has no required member. */
type Part<Call, Name extends 'query' | 'body'> = Call extends {
  readonly [N in Name]: infer Schema extends z.ZodType;
}
  ? Record<never, never> extends z.input<Schema>
    ? { readonly [N in Name]?: z.input<Schema> }
    : { readonly [N in Name]: z.input<Schema> }
  : { readonly [N in Name]?: undefined };
