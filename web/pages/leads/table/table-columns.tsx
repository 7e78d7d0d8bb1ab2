import {
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { fieldColumnPrefix } from '../../../../src/contract/leads/columns.ts';
import type { LeadListed } from '../../../../src/contract/leads/lead.ts';
import { FieldCell, ScoreCell, TimeCell, VerdictCell } from './cells.tsx';
import type { LeadColumn } from './use-columns.ts';

export const features = tableFeatures({ columnSizingFeature, columnVisibilityFeature });
const helper = createColumnHelper<typeof features, LeadListed>();

/** The visible columns, in the format of the table library. */
export function tableColumns(shown: readonly LeadColumn[]) {
  return helper.columns(
    shown.map(({ id, label, width }) => helper.display({ id, header: label, size: width })),
  );
}

/**
 * What a column shows of a lead. Not part of the definition of the column, which changes with every new lead: the library would
 * create each cell again, and a link would lose the focus.
 */
export function cellOf(columnId: string, lead: LeadListed, formName: string): ReactNode {
  if (columnId.startsWith(fieldColumnPrefix))
    return <FieldCell fields={lead.fields} name={columnId.slice(fieldColumnPrefix.length)} />;
  switch (columnId) {
    case 'received':
      return <TimeCell lead={lead} />;
    case 'verdict':
      return <VerdictCell lead={lead} />;
    case 'score':
      return <ScoreCell lead={lead} />;
    default:
      return <span dir="auto">{formName}</span>;
  }
}
