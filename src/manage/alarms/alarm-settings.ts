import type { AlarmSettingsDraft, AlarmSettingsView } from '../../contract/alarms/alarm-settings.ts';
import type { InputError } from '../../contract/problem.ts';
import {
  type AlarmSettingsRecord,
  findAlarmSettings,
  type RuleSubjects,
  readRuleSubjects,
  saveAlarmSettings,
} from '../../db/alarms/alarm-settings.ts';
import { inTransaction } from '../../db/pool.ts';
import { lockWorkspace } from '../../db/workspaces/memberships.ts';
import type { AlarmRule, AlarmSettings } from '../../domain/alarm/settings.ts';
import { invalidInput, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

type Deps = Pick<ManagementDeps, 'pool' | 'clock' | 'mail'>;

export async function readSettings(deps: Deps, workspaceId: string): Promise<AlarmSettingsView> {
  const record = await findAlarmSettings(deps.pool, workspaceId);
  const { settings } = record;
  const subjects = await readRuleSubjects(deps.pool, workspaceId, settings.rules);
  // Rules about what was deleted since could not be saved again.
  const rules = settings.rules.filter((rule) => subjectError(rule, subjects) === null);
  return viewSettings(deps, { ...record, settings: { ...settings, rules } });
}

export async function saveSettings(
  deps: Deps,
  workspaceId: string,
  draft: AlarmSettingsDraft,
  by: string,
): Promise<AlarmSettingsView> {
  const settings = settingsOf(draft);
  requireConsistent(settings.rules);
  const saved = await inTransaction(deps.pool, async (client) => {
    // From here on, nobody else can save a version.
    await lockWorkspace(client, workspaceId);
    const { version: current } = await findAlarmSettings(client, workspaceId);
    requireVersion(current, draft.expected_version);
    const subjects = await readRuleSubjects(client, workspaceId, settings.rules);
    refuse(settings.rules.flatMap((rule, index) => at(index, subjectError(rule, subjects))));
    const record = {
      settings,
      version: current + 1,
      updatedAt: new Date(deps.clock.now()),
      updatedBy: by,
    };
    await saveAlarmSettings(client, workspaceId, record);
    return record;
  });
  return viewSettings(deps, saved);
}

function settingsOf(draft: AlarmSettingsDraft): AlarmSettings {
  return {
    emailOwners: draft.email_owners,
    timeZone: draft.time_zone,
    digestHour: draft.digest_hour,
    rules: draft.rules.map((rule) => ({
      kind: rule.kind,
      formId: rule.form_id,
      tokenId: rule.token_id,
      isEnabled: rule.enabled,
      mutedUntil: rule.muted_until,
      isSensitive: rule.sensitive,
      silentDays: rule.silent_days,
    })),
  };
}

interface RuleError {
  readonly member: string;
  readonly message: string;
}

function requireConsistent(rules: readonly AlarmRule[]): void {
  const seen = new Set<string>();
  const errors = rules.flatMap((rule, index) => {
    const { kind, formId, tokenId } = rule;
    const key = `${kind} ${formId} ${tokenId}`;
    const isSecond = seen.has(key);
    seen.add(key);
    return at(
      index,
      isSecond ? { member: 'kind', message: 'there is another rule about the same' } : ownError(rule),
    );
  });
  refuse(errors);
}

function ownError({ kind, formId, tokenId, isSensitive, silentDays }: AlarmRule): RuleError | null {
  if (tokenId !== null && formId === null)
    return { member: 'form_id', message: 'send the form of the token' };
  if (kind === 'silence') return null;
  if (isSensitive) return { member: 'sensitive', message: 'only silence can be sensitive' };
  return silentDays === null ? null : { member: 'silent_days', message: 'only silence has days' };
}

function subjectError(
  { formId, tokenId }: AlarmRule,
  { formIds, tokenForms }: RuleSubjects,
): RuleError | null {
  if (formId !== null && !formIds.includes(formId))
    return { member: 'form_id', message: 'there is no such form in this workspace' };
  if (tokenId !== null && (!Object.hasOwn(tokenForms, tokenId) || tokenForms[tokenId] !== formId))
    return { member: 'token_id', message: 'there is no such token of this form' };
  return null;
}

function at(index: number, error: RuleError | null): InputError[] {
  return error === null ? [] : [{ field: `rules.${index}.${error.member}`, message: error.message }];
}

function refuse(errors: InputError[]): void {
  if (errors.length > 0) throw invalidInput(errors);
}

function requireVersion(current: number, expected: number | undefined): void {
  if (expected === undefined || expected === current) return;
  throw new Problem(
    'version_conflict',
    `The alarm settings are at version ${current}, not ${expected}. Read them again, apply your change, and send expected_version ${current}.`,
  );
}

function viewSettings({ mail }: Deps, record: AlarmSettingsRecord): AlarmSettingsView {
  const { settings, version, updatedAt, updatedBy } = record;
  return {
    version,
    email_owners: settings.emailOwners,
    emails_available: mail.isOn,
    time_zone: settings.timeZone,
    digest_hour: settings.digestHour,
    rules: settings.rules.map((rule) => ({
      kind: rule.kind,
      form_id: rule.formId,
      token_id: rule.tokenId,
      enabled: rule.isEnabled,
      sensitive: rule.isSensitive,
      silent_days: rule.silentDays,
      muted_until: rule.mutedUntil?.toISOString() ?? null,
    })),
    updated_at: updatedAt?.toISOString() ?? null,
    updated_by: updatedBy,
  };
}
