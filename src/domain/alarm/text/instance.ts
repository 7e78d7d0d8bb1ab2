import { countText, facts, numberText, reasonText } from './reading.ts';
import { withinText } from './rejections.ts';
import type { Writer } from './told-alarm.ts';

const path = '/operator';

export const unattributedSurge: Writer = ({ reason }, evidence) => {
  const rejected = evidence.number('rejected');
  const usual = evidence.number('usual');
  return {
    title: 'More requests than usual are rejected that belong to no workspace',
    facts: facts(
      ['Reason', reasonText(reason)],
      ['Rejected', rejected === null ? null : withinText(rejected, evidence)],
      ['Usually rejected', usual === null ? null : withinText(usual, evidence)],
      [
        'What to do',
        'Anyone can send such requests. If someone reports missing leads, check their token and URL.',
      ],
    ),
    path,
  };
};

export const spoolWaiting: Writer = (_, evidence) => {
  const leads = evidence.number('leads');
  const bytes = evidence.number('bytes');
  return {
    title: 'Leads wait in the spool and are not stored',
    facts: facts(
      ['Waiting', leads === null ? null : countText(leads, 'lead')],
      ['Size', bytes === null ? null : `${numberText(bytes / 1024 / 1024)} MiB`],
      ['Waiting since', evidence.time('since')],
      ['Instance', evidence.text('host')],
      ['Last noted', evidence.time('noted_at')],
      [
        'What to do',
        'Check PostgreSQL and the log of the service. Keep the files of the spool: no lead is lost.',
      ],
    ),
    path,
  };
};

export const watchInterrupted: Writer = (_, evidence) => ({
  title: 'Alarms were not checked for a while',
  facts: facts(
    ['Last checked', evidence.time('since')],
    ['Checked again', evidence.time('until')],
    [
      'What to do',
      'The instance that checked them stopped without saying so. Look in its log. Another instance has continued.',
    ],
  ),
  path,
});
