import * as contract from '../../contract/alarms/alarms.ts';
import { listNotices } from '../../db/alarms/alarm-notices.ts';
import { findAlarmSettings } from '../../db/alarms/alarm-settings.ts';
import { acknowledgeAlarm, findAlarm, listAlarms } from '../../db/alarms/alarms.ts';
import { nameOf } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { readSettings, saveSettings } from './alarm-settings.ts';
import { type ViewFacts, viewAlarm, viewWhole } from './alarm-view.ts';

export const alarmRoutes = [
  route(contract.listAlarms, async ({ params, query }, deps) => {
    const { pool } = deps;
    const { limit: _, cursor: __, ...filters } = query;
    const { state, kind, form_id: formId } = filters;
    const facts = await viewFacts(deps, params.workspace_id);
    return page(
      query,
      {
        fetch: (request) => listAlarms(pool, params.workspace_id, { state, kind, formId }, request),
        position: ({ openedAt, id }) => ({ at: openedAt, id }),
        view: (alarm) => viewAlarm(alarm, facts),
      },
      filters,
    );
  }),
  route(contract.readAlarm, async ({ params }, deps) => {
    const { pool } = deps;
    const alarm = await findAlarm(pool, params.workspace_id, params.alarm_id);
    if (alarm === null) throw notFound('alarm');
    const facts = await viewFacts(deps, params.workspace_id);
    return viewWhole(alarm, facts, await listNotices(pool, alarm.id));
  }),
  route(contract.acknowledgeAlarm, async ({ params, principal }, { pool, clock }) => {
    const acknowledgement = { at: new Date(clock.now()), by: nameOf(principal) };
    if (!(await acknowledgeAlarm(pool, params.workspace_id, params.alarm_id, acknowledgement)))
      throw notFound('alarm');
  }),
  route(contract.readAlarmSettings, ({ params }, deps) => readSettings(deps, params.workspace_id)),
  route(contract.setAlarmSettings, ({ params, body, principal }, deps) =>
    saveSettings(deps, params.workspace_id, body, nameOf(principal)),
  ),
];

async function viewFacts({ pool, clock }: ManagementDeps, workspaceId: string): Promise<ViewFacts> {
  const { settings } = await findAlarmSettings(pool, workspaceId);
  return { settings, now: new Date(clock.now()) };
}
