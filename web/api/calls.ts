import type { z } from 'zod';
import type { auditPage, operatorAuditPage } from '../../src/contract/audit.ts';
import type { Diagnostics, unattributed } from '../../src/contract/diagnostics.ts';
import type {
  EnrichmentProvider,
  EnrichmentSettings,
  newEnrichmentProvider,
} from '../../src/contract/enrichment.ts';
import type {
  Form,
  formChanges,
  newForm,
  newWebhookSecret,
  WebhookSecretUse,
  webhookSecret,
} from '../../src/contract/forms/form.ts';
import type {
  FormerSlug,
  FormerSlugHolders,
  formerSlugPage,
  formerSlugRelease,
  SlugCheck,
} from '../../src/contract/forms/slug.ts';
import type { TestLead } from '../../src/contract/forms.ts';
import type { LeadHistory } from '../../src/contract/leads/history.ts';
import type { Lead, leadMark, leadPage } from '../../src/contract/leads/lead.ts';
import type { LeadTable, LeadTableView } from '../../src/contract/leads/table.ts';
import type {
  Health,
  InstanceSettings,
  instanceSettingsChange,
  OperatorPerson,
  operatorChange,
  operatorPeoplePage,
  quarantinePage,
} from '../../src/contract/operator.ts';
import type {
  Me,
  newSetup,
  passwordLink,
  passwordReset,
  passwordResetMail,
  passwordResetPreview,
  role,
  setupState,
} from '../../src/contract/people.ts';
import type {
  DryRun,
  dryRunRequest,
  FormScoring,
  scoringChange,
  scoringRules,
} from '../../src/contract/scoring.ts';
import type { SignatureDebugAnswer, signatureDebugRequest } from '../../src/contract/signature-debug.ts';
import type { createdToken, newToken, tokenPage, tokenRotation } from '../../src/contract/tokens.ts';
import type {
  createdInvitation,
  invitationAcceptance,
  invitationPage,
  invitationPreview,
  memberPage,
  newInvitation,
} from '../../src/contract/workspaces/member.ts';
import type { Workspace, workspaceChanges, workspacePage } from '../../src/contract/workspaces/workspace.ts';
import type { Session } from './accounts.ts';
import { callApi, callAuth, callForAll, type QueryValues } from './client.ts';

/** Every call that the settings area makes, in one list. Types come from the contract; rules stay with the API. */
const inWorkspace = (workspaceId: string) => `/workspaces/${workspaceId}`;
const ofForm = (workspaceId: string, formId: string) => `${inWorkspace(workspaceId)}/forms/${formId}`;
const allMax = 200;

export const people = {
  me: () => callApi<Me>('GET', '/me'),
  signIn: (body: { email: string; password: string }) => callAuth('POST', '/sign-in/email', body),
  signOut: () => callAuth('POST', '/sign-out', {}),
  changePassword: (body: { currentPassword: string; newPassword: string }) =>
    callAuth('POST', '/change-password', body),
  sessions: () => callAuth<Session[]>('GET', '/list-sessions'),
  endSession: (token: string) => callAuth('POST', '/revoke-session', { token }),
  setupNeeded: () => callApi<z.output<typeof setupState>>('GET', '/setup'),
  setUp: (body: z.input<typeof newSetup>) => callApi('POST', '/setup', { body }),
  readInvitation: (token: string) =>
    callApi<z.output<typeof invitationPreview>>('POST', '/invitations/preview', { body: { token } }),
  join: (body: z.input<typeof invitationAcceptance>) => callApi('POST', '/invitations/accept', { body }),
  resetMail: () => callApi<z.output<typeof passwordResetMail>>('GET', '/password-resets'),
  askForReset: (email: string) => callApi('POST', '/password-resets', { body: { email } }),
  readReset: (token: string) =>
    callApi<z.output<typeof passwordResetPreview>>('POST', '/password-resets/preview', { body: { token } }),
  resetPassword: (body: z.input<typeof passwordReset>) =>
    callApi('POST', '/password-resets/complete', { body }),
};

export const workspaces = {
  list: () => callApi<z.output<typeof workspacePage>>('GET', '/workspaces', { query: { limit: allMax } }),
  create: (name: string) => callApi<Workspace>('POST', '/workspaces', { body: { name } }),
  read: (id: string) => callApi<Workspace>('GET', inWorkspace(id)),
  change: (id: string, body: z.input<typeof workspaceChanges>) =>
    callApi<Workspace>('PATCH', inWorkspace(id), { body }),
  members: (id: string) => callApi<z.output<typeof memberPage>>('GET', `${inWorkspace(id)}/members`),
  changeMember: (id: string, userId: string, newRole: z.output<typeof role>) =>
    callApi('PATCH', `${inWorkspace(id)}/members/${userId}`, { body: { role: newRole } }),
  removeMember: (id: string, userId: string) => callApi('DELETE', `${inWorkspace(id)}/members/${userId}`),
  passwordLink: (id: string, userId: string) =>
    callApi<z.output<typeof passwordLink>>('POST', `${inWorkspace(id)}/members/${userId}/password-link`),
  invitations: (id: string) =>
    callApi<z.output<typeof invitationPage>>('GET', `${inWorkspace(id)}/invitations`),
  invite: (id: string, body: z.input<typeof newInvitation>) =>
    callApi<z.output<typeof createdInvitation>>('POST', `${inWorkspace(id)}/invitations`, { body }),
  sendInvitation: (id: string, invitationId: string) =>
    callApi<z.output<typeof createdInvitation>>(
      'POST',
      `${inWorkspace(id)}/invitations/${invitationId}/send`,
    ),
  withdraw: (id: string, invitationId: string) =>
    callApi('DELETE', `${inWorkspace(id)}/invitations/${invitationId}`),
  audit: (id: string, cursor?: string) =>
    callApi<z.output<typeof auditPage>>('GET', `${inWorkspace(id)}/audit`, { query: { cursor } }),
};

export const forms = {
  list: (w: string) => callForAll<Form>(`${inWorkspace(w)}/forms`, { limit: allMax }),
  create: (w: string, body: z.input<typeof newForm>) =>
    callApi<Form>('POST', `${inWorkspace(w)}/forms`, { body }),
  read: (w: string, f: string) => callApi<Form>('GET', ofForm(w, f)),
  change: (w: string, f: string, body: z.input<typeof formChanges>) =>
    callApi<Form>('PATCH', ofForm(w, f), { body }),
  remove: (w: string, f: string) => callApi('DELETE', ofForm(w, f)),
  setSecret: (w: string, f: string, body: z.input<typeof newWebhookSecret>) =>
    callApi<z.output<typeof webhookSecret>>('PUT', `${ofForm(w, f)}/webhook-secret`, { body }),
  secretUse: (w: string, f: string) => callApi<WebhookSecretUse>('GET', `${ofForm(w, f)}/webhook-secret`),
  endOverlap: (w: string, f: string) => callApi('DELETE', `${ofForm(w, f)}/webhook-secret/previous`),
  sendTestLead: (w: string, f: string) =>
    callApi<TestLead>('POST', `${ofForm(w, f)}/test-lead`, { body: {} }),
  checkSlug: (w: string, query: { slug?: string; name?: string }) =>
    callApi<SlugCheck>('GET', `${inWorkspace(w)}/slug-check`, { query }),
  formerSlugs: (w: string) =>
    callApi<z.output<typeof formerSlugPage>>('GET', `${inWorkspace(w)}/former-slugs`, {
      query: { limit: allMax },
    }),
  removeSecret: (w: string, f: string) => callApi('DELETE', `${ofForm(w, f)}/webhook-secret`),
  scoring: (w: string, f: string) => callApi<FormScoring>('GET', `${ofForm(w, f)}/scoring`),
  scoringRules: (w: string, f: string) =>
    callApi<z.output<typeof scoringRules>>('GET', `${ofForm(w, f)}/scoring/rules`),
  saveScoring: (w: string, f: string, body: z.input<typeof scoringChange>) =>
    callApi<FormScoring>('PUT', `${ofForm(w, f)}/scoring`, { body }),
  dryRun: (w: string, f: string, body: z.input<typeof dryRunRequest>) =>
    callApi<DryRun>('POST', `${ofForm(w, f)}/scoring/dry-run`, { body }),
  debugSignature: (w: string, f: string, body: z.input<typeof signatureDebugRequest>) =>
    callApi<SignatureDebugAnswer>('POST', `${ofForm(w, f)}/signature-debug`, { body }),
};

export const tokens = {
  list: (w: string) =>
    callApi<z.output<typeof tokenPage>>('GET', `${inWorkspace(w)}/tokens`, { query: { limit: allMax } }),
  create: (w: string, body: { name: string; form_id: string; expires_at?: string | null }) =>
    callApi<z.output<typeof createdToken>>('POST', `${inWorkspace(w)}/tokens`, {
      body: body satisfies z.input<typeof newToken>,
    }),
  rotate: (w: string, tokenId: string, body: z.input<typeof tokenRotation>) =>
    callApi<z.output<typeof createdToken>>('POST', `${inWorkspace(w)}/tokens/${tokenId}/rotation`, { body }),
  revoke: (w: string, tokenId: string) => callApi('DELETE', `${inWorkspace(w)}/tokens/${tokenId}`),
};

export const leads = {
  list: (w: string, query: QueryValues, signal: AbortSignal) =>
    callApi<z.output<typeof leadPage>>('GET', `${inWorkspace(w)}/leads`, { query, signal }),
  read: (w: string, id: string) => callApi<Lead>('GET', `${inWorkspace(w)}/leads/${id}`),
  erase: (w: string, id: string) => callApi('DELETE', `${inWorkspace(w)}/leads/${id}`),
  mark: (w: string, id: string, mark: z.output<typeof leadMark>['mark']) =>
    callApi<Lead>('PUT', `${inWorkspace(w)}/leads/${id}/mark`, { body: { mark } }),
  history: (w: string, id: string) => callApi<LeadHistory>('GET', `${inWorkspace(w)}/leads/${id}/history`),
  table: (w: string, formId: string | undefined) =>
    callApi<LeadTable>('GET', `${inWorkspace(w)}/lead-table`, { query: { form_id: formId } }),
  arrange: (w: string, formId: string | undefined, view: LeadTableView | null) =>
    callApi<LeadTable>('PUT', `${inWorkspace(w)}/lead-table`, { query: { form_id: formId }, body: { view } }),
  bodyAddress: (w: string, id: string) => `/api/v1${inWorkspace(w)}/leads/${id}/body`,
  exportAddress: (w: string) => `/api/v1${inWorkspace(w)}/leads/export`,
};

export const enrichment = {
  read: (w: string) => callApi<EnrichmentSettings>('GET', `${inWorkspace(w)}/enrichment`),
  setProvider: (w: string, body: z.input<typeof newEnrichmentProvider>) =>
    callApi<EnrichmentProvider>('PUT', `${inWorkspace(w)}/enrichment-provider`, { body }),
  removeProvider: (w: string) => callApi('DELETE', `${inWorkspace(w)}/enrichment-provider`),
};

export const diagnostics = {
  read: (w: string, query: QueryValues, signal?: AbortSignal) =>
    callApi<Diagnostics>('GET', `${inWorkspace(w)}/diagnostics`, { query, ...(signal && { signal }) }),
};

export const operator = {
  unattributed: (query: QueryValues) =>
    callApi<z.output<typeof unattributed>>('GET', '/operator/unattributed', { query }),
  health: () => callApi<Health>('GET', '/operator/health'),
  settings: () => callApi<InstanceSettings>('GET', '/operator/settings'),
  changeSettings: (body: z.input<typeof instanceSettingsChange>) =>
    callApi<InstanceSettings>('PUT', '/operator/settings', { body }),
  people: (q: string, cursor?: string) =>
    callApi<z.output<typeof operatorPeoplePage>>('GET', '/operator/people', {
      query: { q, limit: 20, cursor },
    }),
  person: (id: string) => callApi<OperatorPerson>('GET', `/operator/people/${id}`),
  changePerson: (body: z.input<typeof operatorChange>) =>
    callApi<OperatorPerson>('POST', '/operator/people', { body }),
  passwordLink: (email: string) =>
    callApi<z.output<typeof passwordLink>>('POST', '/operator/password-links', { body: { email } }),
  formerSlug: (slug: string) =>
    callApi<FormerSlugHolders>('GET', '/operator/former-slugs', { query: { slug } }),
  releaseSlug: (w: string, body: z.input<typeof formerSlugRelease>) =>
    callApi<FormerSlug>('POST', `${inWorkspace(w)}/former-slugs/release`, { body }),
  quarantine: (cursor?: string) =>
    callApi<z.output<typeof quarantinePage>>('GET', '/operator/quarantine', { query: { cursor } }),
  storeQuarantined: (id: string) => callApi<void>('POST', `/operator/quarantine/${id}/store`, { body: {} }),
  discardQuarantined: (id: string) => callApi<void>('POST', `/operator/quarantine/${id}/discard`),
  audit: (cursor?: string) =>
    callApi<z.output<typeof operatorAuditPage>>('GET', '/operator/audit', { query: { cursor } }),
};
