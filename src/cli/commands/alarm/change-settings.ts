import type { AlarmSettingsView } from '../../../contract/alarms/alarm-settings.ts';
import type { Api } from '../../api.ts';

/** What can be changed. */
export type ChangeableSettings = Pick<
  AlarmSettingsView,
  'email_owners' | 'time_zone' | 'digest_hour' | 'rules'
>;

/** Changes some settings and leaves the others. If someone else saves meanwhile, nothing is changed. */
export async function changeSettings(
  api: Api,
  workspace_id: string,
  change: (settings: AlarmSettingsView) => Partial<ChangeableSettings>,
): Promise<AlarmSettingsView> {
  const path = '/workspaces/:workspace_id/alarm-settings';
  const before = await api.call('GET', path, { params: { workspace_id } });
  const { email_owners, time_zone, digest_hour, rules, version } = before;
  return api.call('PUT', path, {
    params: { workspace_id },
    body: { email_owners, time_zone, digest_hour, rules, ...change(before), expected_version: version },
  });
}
