import type { AuditRecord } from '../../db/workspaces/audit-log.ts';

type Names = ReadonlyMap<string, string>;
type Entry = Pick<
  AuditRecord,
  'actorKind' | 'actorId' | 'actorName' | 'action' | 'target' | 'changes' | 'times'
>;

/** What is kept of who made a link to a new password, where the person asked for it by mail. */
export const madeByPerson = 'the person, by mail';
/** And where it was made with the operator key. */
const madeByKey = 'operator';

/**
 * What was done, to follow the name of who did it. `{person}`, `{form}` and `{token}` are what the ids of the entry name, anything else in
 * braces is a value of its changes. An operation of an earlier version that is missing here is written by its name: "Ada Lovelace:
 * rename a thing".
 */
const phrases: Readonly<Record<string, string>> = {
  setUpTheService: 'set up the service',
  acceptAnInvitation: 'joined as {role}',
  setANewPasswordByALink: 'set a new password using a link made by {link_made_by}',
  createAWorkspace: 'created the workspace',
  renameSuspendOrResumeAWorkspace: 'changed the workspace',
  changeAPersonSRole: 'changed the role of {person} to {role}',
  removeAPersonFromAWorkspace: 'removed {person}',
  makeALinkToANewPassword: 'made a password link for {person}',
  makeALinkToANewPasswordForAnybody: 'made a password link for {email}',
  inviteAPerson: 'invited {email} as {role}',
  sendAnInvitationAgain: 'sent an invitation again',
  withdrawAnInvitation: 'withdrew an invitation',
  createAForm: 'created the form {name}',
  changeAForm: 'changed the form {form}',
  deleteAForm: 'deleted the form {form}',
  releaseAFormerSlug: 'released the former slug {slug}',
  setOrRotateTheWebhookSecret: 'set a new webhook secret for {form}',
  removeTheWebhookSecret: 'removed the webhook secret of {form}',
  endTheOverlapOfARotation: 'ended the overlap of webhook secrets of {form}',
  sendASignedTestLead: 'sent a test lead to {form}',
  findOutWhatIsWrongWithASignature: 'used the signature debugger on {form}',
  setAFormSScoringSettings: 'changed the scoring of {form}',
  createAnIngestToken: 'created the token {name}',
  revokeAnIngestToken: 'revoked the token {token}',
  rotateAnIngestToken: 'rotated the token {token}',
  exportLeads: 'exported leads as {format}',
  readTheExactBytesOfALead: 'downloaded the body of a lead',
  eraseALead: 'erased a lead',
  markALeadAsSpamOrNotSpam: 'marked a lead as {mark}',
  setTheEnrichmentProviderOfAWorkspace: 'changed the enrichment provider',
  removeTheEnrichmentProviderOfAWorkspace: 'removed the enrichment provider',
  makeAPersonAnOperatorOrNoLongerOne: 'changed whether {person} is an operator',
  changeTheSettingsOfTheService: 'reset who may create workspaces to the default',
  storeAQuarantinedLead: 'stored a quarantined lead',
  discardAQuarantinedLead: 'discarded a quarantined lead',
  signIn: 'signed in',
  passwordChanged: 'changed their password',
  accessRefused: 'tried to {operation} and was refused',
};

/** What somebody tried, where the name of the operation is no plain English. */
const attempts: Readonly<Record<string, string>> = {
  makeAPersonAnOperatorOrNoLongerOne: 'change who is an operator',
  renameSuspendOrResumeAWorkspace: 'change a workspace',
};

/** Of events that nobody in particular caused. */
const sentences: Readonly<Record<string, string>> = {
  signInFailed: 'Failed sign-in as {person}',
  signInLimited: 'Too many failed sign-ins as {person}: more were refused',
  operatorKeyWrong: 'Wrong operator key',
};

/** Said in place of a name that is not known any more, or was not kept. */
const unnamed: Readonly<Record<string, string>> = {
  person: 'a person',
  form: 'a form',
  token: 'a token',
  mark: 'spam or not spam',
  link_made_by: 'somebody else',
  operation: 'do something',
};

/** "Ada Lovelace removed Max Weber" */
export function auditText(entry: Entry, names: Names): string {
  const { action, times } = entry;
  const sentence = sentences[action];
  const text = sentence === undefined ? deed(entry, names) : eventText(sentence, entry, names);
  return times > 1 ? `${text} (${times} times)` : text;
}

function deed(entry: Entry, names: Names): string {
  const actor = actorOf(entry, names);
  const phrase = special(entry) ?? phrases[entry.action];
  if (phrase === undefined) return `${actor}: ${wordsOf(entry.action)}`;
  return `${actor} ${filled(phrase, entry, names)}`;
}

function actorOf({ actorKind, actorId, actorName }: Entry, names: Names): string {
  if (actorKind === 'nobody') return 'Somebody';
  return actorKind === 'person' ? (names.get(actorId ?? '') ?? actorName) : 'The operator key';
}

/** Calls that are several in one. */
function special({ action, changes }: Entry): string | undefined {
  if (action === 'renameSuspendOrResumeAWorkspace') {
    if (changes.status === 'suspended') return 'suspended the workspace';
    if (changes.status === 'active') return 'resumed the workspace';
    if (changes.name !== undefined) return 'renamed the workspace to {name}';
  }
  if (action === 'makeAPersonAnOperatorOrNoLongerOne' && typeof changes.operator === 'boolean') {
    // Entries of earlier versions name the person by email.
    const who = typeof changes.email === 'string' ? '{email}' : '{person}';
    return changes.operator ? `made ${who} an operator` : `ended the operator rights of ${who}`;
  }
  if (action === 'changeTheSettingsOfTheService') {
    if (changes.workspace_creation === 'everyone') return 'let everyone create workspaces';
    if (changes.workspace_creation === 'operators') return 'let only operators create workspaces';
  }
  if (action === 'setANewPasswordByALink') {
    if (changes.link_made_by === madeByPerson) return 'set a new password using a link sent to them by email';
    if (changes.link_made_by === madeByKey)
      return 'set a new password using a link made with the operator key';
  }
  return undefined;
}

function eventText(sentence: string, entry: Entry, names: Names): string {
  if (entry.target.person_id !== undefined) return filled(sentence, entry, names);
  return sentence.replace('as {person}', 'for an unknown account');
}

function filled(phrase: string, { target, changes, action }: Entry, names: Names): string {
  return phrase.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = changes[key];
    if (action === 'accessRefused' && typeof value === 'string') return attempts[value] ?? wordsOf(value);
    if (typeof value === 'string' && value !== '…') return value;
    const id = target[`${key}_id`] ?? changes[`${key}_id`];
    return names.get(String(id)) ?? unnamed[key] ?? key;
  });
}

/** `createAForm` → "create a form", `changeAPersonSRole` → "change a person's role" */
function wordsOf(action: string): string {
  const words = action.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return words.replaceAll(/ s(?= )/g, "'s");
}
