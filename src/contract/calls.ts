import type { z } from 'zod';
import { listAudit, listOperatorAudit } from './audit.ts';
import type { CallDeclaration, PathParams } from './call.ts';
import { readDiagnostics } from './diagnostics.ts';
import {
  readEnrichment,
  readEnrichmentProvider,
  removeEnrichmentProvider,
  setEnrichmentProvider,
} from './enrichment.ts';
import {
  changeForm,
  checkSlug,
  createForm,
  deleteForm,
  endSecretOverlap,
  findFormerSlugHolders,
  listFormerSlugs,
  listForms,
  readForm,
  readWebhookSecretUse,
  releaseFormerSlug,
  removeWebhookSecret,
  sendTestLead,
  setWebhookSecret,
} from './forms.ts';
import {
  arrangeLeadTable,
  eraseLead,
  exportLeads,
  listLeadMarks,
  listLeads,
  markLead,
  readLead,
  readLeadBody,
  readLeadHistory,
  readLeadTable,
} from './leads.ts';
import {
  changeInstanceSettings,
  changeOperator,
  countUnattributed,
  discardQuarantined,
  listPeople,
  listQuarantine,
  readHealth,
  readInstanceSettings,
  readPerson,
  readQuarantined,
  storeQuarantined,
} from './operator.ts';
import {
  askForPasswordReset,
  makeOperatorPasswordLink,
  makePasswordLink,
  readMe,
  readPasswordReset,
  readPasswordResetMail,
  readSetup,
  resetPassword,
  setUp,
} from './people.ts';
import { dryRunScoring, listScoringRules, listScoringVersions, readScoring, setScoring } from './scoring.ts';
import { debugSignature } from './signature-debug.ts';
import { createToken, listTokens, revokeToken, rotateToken } from './tokens.ts';
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
  readForm,
  changeForm,
  deleteForm,
  checkSlug,
  listFormerSlugs,
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
  createToken,
  listTokens,
  revokeToken,
  rotateToken,
  exportLeads,
  listLeads,
  readLead,
  readLeadBody,
  eraseLead,
  markLead,
  listLeadMarks,
  readLeadHistory,
  readLeadTable,
  arrangeLeadTable,
  readEnrichment,
  readEnrichmentProvider,
  setEnrichmentProvider,
  removeEnrichmentProvider,
  readDiagnostics,
  countUnattributed,
  readHealth,
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

/** Every call of the API, for those who walk the list. */
export const calls: readonly CallDeclaration[] = everyCall;

/** One of them, with its own schemas. */
type DeclaredCall = (typeof everyCall)[number];

/** For clients, which name a call by its method and path: what it takes and answers. */
export type Calls = { [M in Method]: { [Call in CallsBy<M> as Call['path']]: CallTypes<Call> } };
export type Method = Uppercase<DeclaredCall['method']>;
/** Of these, the lists that come page by page. */
export type Lists = { [Call in PagedCall as Call['path']]: CallTypes<Call> };
/** A call that is answered by a file has an address for it, and no answer to be read. */
export type Files = { [Call in FileCall as Call['path']]: Pick<CallTypes<Call>, 'input'> };

/** Nothing has to be given to a call that needs nothing. */
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
  readonly answer: Call['answer'] extends { readonly body: infer Body extends z.ZodType }
    ? z.output<Body>
    : undefined;
}

type Params<Path extends string> = Path extends `${string}:${string}`
  ? { readonly params: PathParams<Path> }
  : { readonly params?: undefined };

/** What has no member that must be sent may be left out as a whole. */
type Part<Call, Name extends 'query' | 'body'> = Call extends {
  readonly [N in Name]: infer Schema extends z.ZodType;
}
  ? Record<never, never> extends z.input<Schema>
    ? { readonly [N in Name]?: z.input<Schema> }
    : { readonly [N in Name]: z.input<Schema> }
  : { readonly [N in Name]?: undefined };
