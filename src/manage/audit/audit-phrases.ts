import type { AuditRow } from '../../db/workspaces/audit-log.ts';

/**
 * What was done, to follow the name of the person. `{person}`, `{form}`, `{token}` and so on are named by the ids of the entry, and
 * `{+form}` says what it is: "form Contact EU". Anything else in braces is a value of its changes.
 */
export interface Phrase {
  readonly one: string;
  /** For a series of equal actions: "erased {count} leads". Without it, only equal sentences make a series. */
  readonly many?: string;
}

/** Stored as the creator of a password reset link that the person requested by email. */
export const madeByPerson = 'the person, by mail';
/** Stored as the creator of a link that was created with the operator key. */
const madeByKey = 'operator';

/** An operation of an earlier version that is missing here is named: "Ada Lovelace called renameAThing". */
const phrases: Readonly<Record<string, string | readonly [one: string, many: string]>> = {
  setUpTheService: 'set up the service',
  acceptAnInvitation: 'joined as {role}',
  setANewPasswordByALink: 'set a new password with a link created by {link_made_by}',
  createAWorkspace: 'created workspace {name}',
  renameSuspendOrResumeAWorkspace: 'changed {+workspace}',
  changeAPersonSRole: 'changed the role of {person} to {role}',
  removeAPersonFromAWorkspace: ['removed {person}', 'removed {count} people'],
  makeALinkToANewPassword: 'created a password reset link for {person}',
  makeALinkToANewPasswordForAnybody: 'created a password reset link for {email}',
  inviteAPerson: ['invited {email} as {role}', 'invited {count} people as {role}'],
  sendAnInvitationAgain: ['resent {+invitation}', 'resent {count} invitations'],
  withdrawAnInvitation: ['withdrew {+invitation}', 'withdrew {count} invitations'],
  createAForm: ['created {+form}', 'created {count} forms'],
  changeAForm: 'changed {+form}',
  deleteAForm: ['deleted {+form}', 'deleted {count} forms'],
  endTheAliasOfAFormerSlug: 'ended the alias {slug}',
  replaceTheFieldsOfAFormByThoseOfAJsonSchema: 'imported the fields of {form} from a JSON Schema',
  releaseAFormerSlug: 'released the former slug {slug} of {workspace}',
  setOrRotateTheWebhookSecret: 'set a webhook secret for {form}',
  removeTheWebhookSecret: 'removed the webhook secret of {form}',
  endTheOverlapOfARotation: 'ended the webhook secret overlap of {form}',
  setHowWebPagesSendLeadsToAForm: 'changed the web page settings of {form}',
  endAllBrowserTokensOfAForm: 'ended all browser tokens of {form}',
  createOrRotateTheMintSecretOfAForm: 'created a mint secret for {form}',
  sendASignedTestLead: 'sent a test lead to {form}',
  findOutWhatIsWrongWithASignature: 'used the signature debugger on {form}',
  setAFormSScoringSettings: 'changed the scoring settings of {form}',
  forgetWhatAFormHasLearnedFromMarks: 'made {form} forget what it had learned from marks',
  createAnIngestToken: ['created {+token}', 'created {count} ingest tokens'],
  revokeAnIngestToken: ['revoked {+token}', 'revoked {count} ingest tokens'],
  rotateAnIngestToken: ['rotated {+token}', 'rotated {count} ingest tokens'],
  createAHandOverLink: 'created a hand-over link for {+token}',
  cancelAHandOverLink: 'cancelled a hand-over link of {+token}',
  openAHandOverLink: 'opened the hand-over link that {link_made_by} created for {+token}',
  createAnApiKey: ['created {+api_key}', 'created {count} API keys'],
  revokeAnApiKey: ['revoked {+api_key}', 'revoked {count} API keys'],
  exportLeads: 'exported leads',
  readTheExactBytesOfALead: ['downloaded the body of {+lead}', 'downloaded the bodies of {count} leads'],
  eraseALead: ['erased {+lead}', 'erased {count} leads'],
  exportChosenLeads: 'exported selected leads',
  markManyLeads: 'marked {leads} as {mark}',
  eraseManyLeads: 'started to erase {leads}',
  stopAnActionOnManyLeads: 'stopped marking or erasing many leads',
  undoTheMarksOfAnAction: 'undid the marks of {leads}',
  markALeadAsSpamOrNotSpam: ['marked {+lead} as {mark}', 'marked {count} leads as {mark}'],
  saveAView: ['saved {+view}', 'saved {count} views'],
  changeASavedView: 'changed {+view}',
  deleteASavedView: ['deleted {+view}', 'deleted {count} views'],
  setTheEnrichmentProviderOfAWorkspace: 'set the enrichment provider',
  removeTheEnrichmentProviderOfAWorkspace: 'removed the enrichment provider',
  createADestination: ['created {+destination}', 'created {count} destinations'],
  changeADestination: 'changed {+destination}',
  deleteADestination: ['deleted {+destination}', 'deleted {count} destinations'],
  sendATestToADestination: 'sent a test to {destination}',
  sendTheConfirmationLinkAgain: 'sent {address} the confirmation link of {+destination} again',
  confirmThatYouWantTheEmailsOfADestination:
    'confirmed with the link in an email that {address} wants the emails of {+destination}',
  unsubscribeFromTheEmailsOfADestination:
    'unsubscribed {address} from the emails of {+destination} with the link in an email',
  rotateTheSecretOfADestination: 'rotated the secret of {destination}',
  pauseADestination: 'paused {+destination}',
  resumeADestination: 'resumed {+destination}',
  sendADeliveryAgain: ['sent a delivery again', 'sent {count} deliveries again'],
  sendASelectionOfDeliveriesAgain: 'sent a selection of deliveries again',
  admitAHeldSubmission: ['admitted a held submission', 'admitted {count} held submissions'],
  admitASelectionOfHeldSubmissions: 'admitted a selection of held submissions',
  discardAHeldSubmission: ['discarded a held submission', 'discarded {count} held submissions'],
  discardASelectionOfHeldSubmissions: 'discarded a selection of held submissions',
  stopAnAdmissionOrDiscard: 'stopped an admission or discard of held submissions',
  tryARejectedRequestAgainAsADryRun: [
    'tried a rejected request again as a dry run',
    'tried {count} rejected requests again as a dry run',
  ],
  checkHeldSignaturesAgain: 'checked the signatures of held submissions to {form} again',
  acknowledgeAnAlarm: ['acknowledged an alarm', 'acknowledged {count} alarms'],
  changeTheAlarmSettings: 'changed the alarm settings',
  acknowledgeAnAlarmOfTheInstance: [
    'acknowledged an alarm of the instance',
    'acknowledged {count} alarms of the instance',
  ],
  makeAPersonAnOperatorOrNoLongerOne: 'changed the operator permissions of {person}',
  changeTheSettingsOfTheService: 'reset who can create workspaces to the default',
  listHeldSubmissions: 'listed held submissions',
  readAHeldSubmission: ['viewed a held submission', 'viewed {count} held submissions'],
  storeAQuarantinedLead: [
    'stored quarantined {+lead} of {workspace}',
    'stored {count} quarantined leads of {workspace}',
  ],
  discardAQuarantinedLead: [
    'discarded quarantined {+lead} of {workspace}',
    'discarded {count} quarantined leads of {workspace}',
  ],
  signIn: 'signed in',
  passwordChanged: 'changed their password',
  passwordConfirmed: 'confirmed their password',
  passwordCheckFailed: 'entered a wrong password when asked to confirm it',
  sessionEnded: 'signed out one of their sessions',
  otherSessionsEnded: 'signed out all their other sessions',
  accessRefused: 'tried to {operation} and was refused',
};

/** Whole sentences of events that have no known actor. */
const events: Readonly<Record<string, string>> = {
  signInFailed: 'Someone failed to sign in as {person}',
  signInLimited: 'Someone tried to sign in as {person} too often and was refused',
  operatorKeyWrong: 'Someone sent a wrong key',
};

/** The sentence of an event without an actor. */
export function eventOf({ action, target }: Pick<AuditRow, 'action' | 'target'>): string | undefined {
  const sentence = events[action];
  return target.person_id === undefined
    ? sentence?.replace('as {person}', 'to an unknown account')
    : sentence;
}

export function phraseOf(entry: Pick<AuditRow, 'action' | 'changes' | 'names'>): Phrase | undefined {
  const found = special[entry.action]?.(entry.changes, entry.names) ?? phrases[entry.action];
  if (found === undefined || typeof found !== 'string')
    return found === undefined ? undefined : { one: found[0], many: found[1] };
  return { one: found };
}

type Special = (
  changes: AuditRow['changes'],
  names: AuditRow['names'],
) => string | readonly [one: string, many: string] | undefined;

/** Calls that can do different things. */
const special: Readonly<Record<string, Special>> = {
  renameSuspendOrResumeAWorkspace({ status, name }) {
    if (status === 'suspended') return 'suspended {workspace}';
    if (status === 'active') return 'resumed {workspace}';
    return name === undefined ? undefined : 'renamed {+workspace} to {name}';
  },
  changeAForm(changes) {
    const { active, name, slug, keep_former_slug: isAlias, ...others } = changes;
    const named = Object.keys(changes).filter((change) => change !== 'keep_former_slug');
    if (named.length > 1) return undefined;
    if (typeof active === 'boolean') return active ? 'activated {+form}' : 'deactivated {+form}';
    if (name !== undefined) return 'renamed {+form} to {name}';
    if (slug !== undefined && isAlias === true)
      return 'changed the slug of {form} to {slug} and kept the former one as an alias';
    if (slug !== undefined) return 'changed the slug of {form} to {slug}';
    if (others.unknown_keys === 'hidden') return 'hid undeclared keys of {form}';
    if (others.unknown_keys === 'shown') return 'made undeclared keys of {form} visible';
    if ('ignored_keys' in others) return 'changed which keys are suggested for {form}';
    if ('fields' in others) return 'changed the fields of {form}';
    return 'replay_protection' in others ? 'changed the replay protection of {form}' : undefined;
  },
  setOrRotateTheWebhookSecret: (_, { webhook_secret }) =>
    webhook_secret === undefined ? undefined : 'rotated the webhook secret of {form}',
  setHowWebPagesSendLeadsToAForm: ({ enabled }) =>
    enabled === false ? 'turned off leads from web pages for {form}' : undefined,
  createOrRotateTheMintSecretOfAForm: (_, { mint_secret }) =>
    mint_secret === undefined ? undefined : 'rotated the mint secret of {form}',
  makeAPersonAnOperatorOrNoLongerOne({ operator, email }) {
    // Entries of earlier versions name the person by email.
    const who = typeof email === 'string' ? '{email}' : '{person}';
    if (typeof operator !== 'boolean') return undefined;
    return operator ? `made ${who} an operator` : `revoked the operator permissions of ${who}`;
  },
  changeTheSettingsOfTheService({ workspace_creation }) {
    if (workspace_creation === 'everyone') return 'let everyone create workspaces';
    return workspace_creation === 'operators' ? 'let only operators create workspaces' : undefined;
  },
  markManyLeads({ mark }) {
    if (mark === 'not_spam') return 'marked {leads} as not spam';
    return mark === null ? 'removed the marks from {leads}' : undefined;
  },
  exportChosenLeads: ({ format }) =>
    typeof format === 'string' ? `exported selected leads as ${format.toUpperCase()}` : undefined,
  markALeadAsSpamOrNotSpam({ mark }) {
    if (mark === 'not_spam') return ['marked {+lead} as not spam', 'marked {count} leads as not spam'];
    if (mark !== null) return undefined;
    return ['removed the mark from {+lead}', 'removed the marks from {count} leads'];
  },
  readTheExactBytesOfALead: ({ purpose }) =>
    purpose === 'view' ? ['viewed the body of {+lead}', 'viewed the bodies of {count} leads'] : undefined,
  exportLeads: ({ format }) =>
    typeof format === 'string' ? `exported leads as ${format.toUpperCase()}` : undefined,
  changeADestination(changes) {
    const { name, url, expected_version: _, ...others } = changes;
    if (typeof url === 'string' && url !== '…') return 'changed where {+destination} sends leads: {url}';
    const more = Object.keys(others);
    if (name !== undefined && url === undefined && more.length === 0)
      return 'renamed {+destination} to {name}';
    const isOnlyRecipients = name === undefined && url === undefined && more.join() === 'recipients';
    return isOnlyRecipients ? 'changed the recipients of {+destination}' : undefined;
  },
  changeASavedView: ({ name, expected_version: _, ...others }) =>
    name !== undefined && Object.keys(others).length === 0 ? 'renamed {+view} to {name}' : undefined,
  sendASelectionOfDeliveriesAgain: ({ dry_run }) =>
    dry_run === true ? 'counted a selection of deliveries' : undefined,
  admitASelectionOfHeldSubmissions: ({ dry_run }) =>
    dry_run === true ? 'counted a selection of held submissions' : undefined,
  discardASelectionOfHeldSubmissions: ({ dry_run }) =>
    dry_run === true ? 'counted a selection of held submissions' : undefined,
  setANewPasswordByALink({ link_made_by }) {
    if (link_made_by === madeByPerson) return 'set a new password with a link sent to them by email';
    if (link_made_by !== madeByKey) return undefined;
    return 'set a new password with a link created with the operator key';
  },
};
