import { useMemo } from 'react';
import { fieldColumnPrefix } from '../../../../src/contract/leads/columns.ts';
import type { LeadColumns } from '../table/use-columns.ts';
import { type FieldChoice, leadFields } from './filter-text.ts';

/** What leads can be filtered and sorted by: what every lead has, then declared fields, then keys of the loaded leads. */
export function useFilterFields({ columns }: LeadColumns): readonly FieldChoice[] {
  return useMemo(() => {
    const fields = columns.filter(({ id }) => id.startsWith(fieldColumnPrefix));
    return [...leadFields, ...fields.map(({ id, label }) => ({ value: id, label }))];
  }, [columns]);
}
