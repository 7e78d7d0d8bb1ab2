import { type JsonText, textOf } from '../../domain/json/json-text.ts';
import { type ExportTable, shortened } from './export-table.ts';

/** What Excel keeps of a cell. */
const cellCharactersMax = 32_767;

/**
 * Every cell has the format "Text", so that nothing in it runs or becomes a number or a date, not even when someone edits
 * it. The library is loaded when it is needed first, because most processes never write a workbook.
 */
export async function* xlsxChunks({ names, rows }: ExportTable): AsyncGenerator<Uint8Array> {
  const { writeXlsxStream } = await import('hucre/xlsx');
  const columns = names.map((name) => ({ header: cellText(name), numFmt: '@', width: 20 }));
  yield* writeXlsxStream(cellsOf(rows), { name: 'Leads', columns, freezePane: { rows: 1 } });
}

async function* cellsOf(rows: ExportTable['rows']): AsyncGenerator<(string | null)[]> {
  for await (const row of rows) yield row.map(cellOf);
}

function cellOf(json: JsonText): string | null {
  return json === 'null' ? null : cellText(textOf(json));
}

function cellText(text: string): string {
  return (
    shortened(text, cellCharactersMax)
      .replaceAll(/\r\n?/g, '\n')
      // XML cannot contain these. Unpaired surrogates become the same when they are encoded.
      .replaceAll(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
      // Excel reads `_x0041_` as the letter A, unless its first underscore is written like this.
      .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
  );
}
