import {
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { fieldColumnPrefix } from '../../../../src/contract/leads/columns.ts';
import type { LeadListed } from '../../../../src/contract/leads/lead.ts';
import { FieldCell, ScoreCell, TimeCell, VerdictCell } from './cells.tsx';
import type { LeadColumn } from './use-columns.ts';

export const features = tableFeatures({ columnSizingFeature, columnVisibilityFeature });
const helper = createColumnHelper<typeof features, LeadListed>();

/** The visible columns, in the format of the table library. */
export function tableColumns(shown: readonly LeadColumn[], forms: readonly Form[]) {
  const names = new Map(forms.map((form) => [form.id, form.name]));
  const own: Record<string, (lead: LeadListed) => ReactNode> = {
    received: (lead) => <TimeCell lead={lead} />,
    verdict: (lead) => <VerdictCell lead={lead} />,
    score: (lead) => <ScoreCell lead={lead} />,
    form: (lead) => names.get(lead.form_id) ?? 'Deleted form',
  };
  return helper.columns(
    shown.map(({ id, label, width }) =>
      helper.display({
        id,
        header: label,
        size: width,
        cell: ({ row: { original } }) =>
          id.startsWith(fieldColumnPrefix) ? (
            <FieldCell fields={original.fields} name={id.slice(fieldColumnPrefix.length)} />
          ) : (
            own[id]?.(original)
          ),
      }),
    ),
  );
}
