import { z } from 'zod';
import { exactText, id, strict } from '../shape.ts';
import {
  columnIdCharactersMax,
  columnsMax,
  columnWidthMax,
  columnWidthMin,
  fieldColumnPrefix,
  ownColumns,
} from './columns.ts';

const column = strict({
  id: exactText(columnIdCharactersMax).describe(
    `${ownColumns.join(', ')}, or \`${fieldColumnPrefix}<key>\`.`,
  ),
  shown: z.boolean().optional().describe('Left out: as if nobody had chosen.'),
  width: z.int().min(columnWidthMin).max(columnWidthMax).optional().describe('In pixels.'),
});

export const leadTableView = z
  .object({
    columns: z
      .array(column)
      .max(columnsMax)
      .describe('In the order in which they are shown. Columns that are not in it come after them.'),
  })
  .meta({ id: 'LeadTableView' });

export const leadTableQuery = strict({
  form_id: id.optional().describe('The table of one form; without it the table of all leads.'),
});
export const leadTable = z
  .object({ view: leadTableView.nullable().describe('Null as long as nothing was arranged.') })
  .meta({ id: 'LeadTable' });
export const newLeadTable = strict({
  view: strict(leadTableView.shape).nullable().describe('Null forgets the arrangement.'),
}).meta({ id: 'NewLeadTable' });

export type LeadTableView = z.output<typeof leadTableView>;
export type ColumnChoice = z.output<typeof column>;
