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
  shown: z.boolean().optional().describe('Leave out for the default.'),
  width: z.int().min(columnWidthMin).max(columnWidthMax).optional().describe('In pixels.'),
});

export const leadTableView = z
  .object({
    columns: z
      .array(column)
      .max(columnsMax)
      .describe('In display order. Columns that are not listed come last.'),
  })
  .meta({ id: 'LeadTableView' });

export const leadTableQuery = strict({
  form_id: id.optional().describe('The table of one form. If left out, the table of all leads.'),
});
export const leadTable = z
  .object({ view: leadTableView.nullable().describe('Null until you arrange the table.') })
  .meta({ id: 'LeadTable' });
export const newLeadTable = strict({
  view: strict(leadTableView.shape).nullable().describe('Null resets the layout.'),
}).meta({ id: 'NewLeadTable' });

export type LeadTableView = z.output<typeof leadTableView>;
export type ColumnChoice = z.output<typeof column>;
