import { operationId } from '../../contract/call.ts';
import { calls } from '../../contract/calls.ts';
import type { AuditRecord } from '../../db/workspaces/audit-log.ts';

type Names = ReadonlyMap<string, string>;
type Entry = Pick<
  AuditRecord,
  'actorKind' | 'actorId' | 'actorName' | 'action' | 'target' | 'changes' | 'times'
>;

/** Stored as the creator of a password reset link that the person requested by email. */
export const madeByPerson = 'the person, by mail';
/** Stored as the creator of a link that was created with the operator key. */
const madeByKey = 'operator';

/**
 * What was done, to follow the name of the person. `{person}`, `{form}` and `{token}` are named by the ids of the entry; anything else
 * in braces is a value of its changes. An operation of an earlier version that is missing here is named: "Ada Lovelace called renameAThing".
 */
const phrases: Readonly<Record<string, string>> = {
  setUpTheService: 'set up the service',
  acceptAnInvitation: 'joined as {role}',
  setANewPasswordByALink: 'set a new password with a link created by {link_made_by}',
  createAWorkspace: 'created the workspace {name}',
  renameSuspendOrResumeAWorkspace: 'changed the workspace',
  changeAPersonSRole: 'changed the role of {person} to {role}',
  removeAPersonFromAWorkspace: 'removed {person}',
  makeALinkToANewPassword: 'created a password reset link for {person}',
  makeALinkToANewPasswordForAnybody: 'created a password reset link for {email}',
  inviteAPerson: 'invited {email} as {role}',
  sendAnInvitationAgain: 'resent an invitation',
  withdrawAnInvitation: 'withdrew an invitation',
  createAForm: 'created the form {name}',
  changeAForm: 'changed the form {form}',
  deleteAForm: 'deleted the form {form}',
  releaseAFormerSlug: 'released the former slug {slug}',
  setOrRotateTheWebhookSecret: 'set a new webhook secret for {form}',
  removeTheWebhookSecret: 'removed the webhook secret of {form}',
  endTheOverlapOfARotation: 'ended the webhook secret overlap of {form}',
  sendASignedTestLead: 'sent a test lead to {form}',
  findOutWhatIsWrongWithASignature: 'used the signature debugger on {form}',
  setAFormSScoringSettings: 'changed the scoring settings of {form}',
  createAnIngestToken: 'created the token {name}',
  revokeAnIngestToken: 'revoked the token {token}',
  rotateAnIngestToken: 'rotated the token {token}',
  exportLeads: 'exported leads',
  readTheExactBytesOfALead: 'downloaded the body of a lead',
  eraseALead: 'erased a lead',
  markALeadAsSpamOrNotSpam: 'marked a lead as {mark}',
  setTheEnrichmentProviderOfAWorkspace: 'changed the enrichment provider',
  removeTheEnrichmentProviderOfAWorkspace: 'removed the enrichment provider',
  makeAPersonAnOperatorOrNoLongerOne: 'changed the operator permissions of {person}',
  changeTheSettingsOfTheService: 'reset who can create workspaces to the default',
  storeAQuarantinedLead: 'stored a quarantined lead',
  discardAQuarantinedLead: 'discarded a quarantined lead',
  signIn: 'signed in',
  passwordChanged: 'changed their password',
  sessionEnded: 'signed out one of their sessions',
  otherSessionsEnded: 'signed out all their other sessions',
  passwordConfirmed: 'confirmed their password',
  passwordCheckFailed: 'entered a wrong password when asked to confirm it',
  accessRefused: 'tried to {operation} and was refused',
};

/** What someone tried: "rename, suspend or resume a workspace". */
const attempts: ReadonlyMap<string, string> = new Map(
  calls.map((call) => [operationId(call), call.summary.charAt(0).toLowerCase() + call.summary.slice(1)]),
);

/** Events that have no known actor. */
const sentences: Readonly<Record<string, string>> = {
  signInFailed: 'Someone failed to sign in as {person}',
  signInLimited: 'Someone tried to sign in as {person} too often and was refused',
  operatorKeyWrong: 'Someone sent a wrong operator key',
};

/** For a name that is no longer known, or was not kept. */
const unnamed: Readonly<Record<string, string>> = {
  person: 'a person',
  form: 'a form',
  token: 'a token',
  mark: 'spam or not spam',
  link_made_by: 'someone else',
  operation: 'do something',
};

/** "Ada Lovelace removed Max Weber" */
export function auditText(entry: Entry, names: Names): string {
  const { action, times } = entry;
  const sentence = sentences[action];
  const text = sentence === undefined ? actionText(entry, names) : eventText(sentence, entry, names);
  return times > 1 ? `${text} (${times} times)` : text;
}

function actionText(entry: Entry, names: Names): string {
  const actor = actorOf(entry, names);
  const phrase = special(entry) ?? phrases[entry.action];
  if (phrase === undefined) return `${actor} called ${entry.action}`;
  return `${actor} ${filled(phrase, entry, names)}`;
}

function actorOf({ actorKind, actorId, actorName }: Entry, names: Names): string {
  if (actorKind === 'nobody') return 'Someone';
  return actorKind === 'person' ? (names.get(actorId ?? '') ?? actorName) : 'The operator key';
}

/** Calls that can do different things. */
function special({ action, changes }: Entry): string | undefined {
  if (action === 'renameSuspendOrResumeAWorkspace') {
    if (changes.status === 'suspended') return 'suspended the workspace';
    if (changes.status === 'active') return 'resumed the workspace';
    if (changes.name !== undefined) return 'renamed the workspace to {name}';
  }
  if (action === 'makeAPersonAnOperatorOrNoLongerOne' && typeof changes.operator === 'boolean') {
    // Entries of earlier versions name the person by email.
    const who = typeof changes.email === 'string' ? '{email}' : '{person}';
    return changes.operator ? `made ${who} an operator` : `revoked the operator permissions of ${who}`;
  }
  if (action === 'changeTheSettingsOfTheService') {
    if (changes.workspace_creation === 'everyone') return 'let everyone create workspaces';
    if (changes.workspace_creation === 'operators') return 'let only operators create workspaces';
  }
  if (action === 'markALeadAsSpamOrNotSpam') {
    if (changes.mark === 'not_spam') return 'marked a lead as not spam';
    if (changes.mark === null) return 'removed the mark from a lead';
  }
  if (action === 'exportLeads' && typeof changes.format === 'string')
    return `exported leads as ${changes.format.toUpperCase()}`;
  if (action === 'setANewPasswordByALink') {
    if (changes.link_made_by === madeByPerson) return 'set a new password with a link sent to them by email';
    if (changes.link_made_by === madeByKey)
      return 'set a new password with a link created with the operator key';
  }
  return undefined;
}

function eventText(sentence: string, entry: Entry, names: Names): string {
  if (entry.target.person_id !== undefined) return filled(sentence, entry, names);
  return sentence.replace('as {person}', 'to an unknown account');
}

function filled(phrase: string, { target, changes, action }: Entry, names: Names): string {
  return phrase.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = changes[key];
    if (action === 'accessRefused' && typeof value === 'string')
      return attempts.get(value) ?? `call ${value}`;
    if (typeof value === 'string' && value !== '…') return value;
    const id = target[`${key}_id`] ?? changes[`${key}_id`];
    return names.get(String(id)) ?? unnamed[key] ?? key;
  });
}
