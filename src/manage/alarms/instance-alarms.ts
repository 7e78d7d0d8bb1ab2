import * as contract from '../../contract/alarms/alarms.ts';
import { acknowledgeAlarm, listAlarms } from '../../db/alarms/alarms.ts';
import { nameOf } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import { viewInstanceAlarm } from './alarm-view.ts';

export const instanceAlarmRoutes = [
  route(contract.listInstanceAlarms, ({ query }, { pool }) =>
    page(
      query,
      {
        fetch: (request) => listAlarms(pool, null, { state: query.state }, request),
        position: ({ openedAt, id }) => ({ at: openedAt, id }),
        view: viewInstanceAlarm,
      },
      { state: query.state },
    ),
  ),
  route(contract.acknowledgeInstanceAlarm, async ({ params, principal }, { pool, clock }) => {
    const acknowledgement = { at: new Date(clock.now()), by: nameOf(principal) };
    if (!(await acknowledgeAlarm(pool, null, params.alarm_id, acknowledgement))) throw notFound('alarm');
  }),
];
