import { fieldColumnPrefix } from '../../contract/leads/columns.ts';
import { csvFieldColumnsMax, csvOtherColumn } from '../../contract/leads.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { eachMember } from '../../domain/json/json-text.ts';
import { Turns } from '../../time/turns.ts';
import { csvLine, longJsonCell, textCell } from './csv.ts';
import { viewLead } from './leads.ts';

type ShownLead = ReturnType<typeof viewLead>;
type FormNames = ReadonlyMap<string, string>;

/** The columns that every export has, with what is in them. */
const fixedColumns: Readonly<Record<string, (lead: ShownLead, formNames: FormNames) => string>> = {
  submission_id: (lead) => wordCell(lead.submission_id),
  received_at: (lead) => wordCell(lead.received_at),
  form_id: (lead) => wordCell(lead.form_id),
  form_name: (lead, formNames) => textCell(formNames.get(lead.form_id) ?? ''),
  surface: (lead) => wordCell(lead.surface),
  verdict: (lead) => wordCell(lead.verdict),
  grade: (lead) => wordCell(lead.grade),
  score: (lead) => String(lead.score),
  fit: (lead) => String(lead.fit),
  intent: (lead) => String(lead.intent),
  risk: (lead) => String(lead.risk),
  reasons: (lead) => pointsCell(lead.reasons),
  merits: (lead) => pointsCell(lead.merits),
};
const fixedNames = Object.keys(fixedColumns);
const fixedCells = Object.values(fixedColumns);
// Forms have dozens of keys; thousands come from senders who invent a new key for each value.
const keysCountedMax = 2_000;
const chunkCharacters = 65_536;
// How many members of a lead are read between looks at the clock.
const membersPerLook = 32;

export interface LeadCsv {
  readonly header: string;
  /** In chunks, yielding to other work in between. */
  lines(leads: readonly LeadRecord[]): AsyncGenerator<string>;
}

/** What the forms say about the columns. */
export interface CsvForms {
  readonly declared: readonly string[];
  readonly names: FormNames;
}

/** `isWhole`: there are no other leads. `chosen`: columns of the lead table; everything if left out. */
export async function leadCsv(
  forms: CsvForms,
  leads: readonly LeadRecord[],
  isWhole: boolean,
  chosen?: readonly string[],
): Promise<LeadCsv> {
  if (chosen !== undefined) return chosenCsv(forms.names, chosen);
  const counted = await countKeys(leads);
  const keys = [...new Set([...forms.declared, ...mostFrequentFirst(counted)])];
  const columns = keys.slice(0, csvFieldColumnsMax);
  const hasOthers = !isWhole || keys.length > columns.length || counted.size >= keysCountedMax;
  const names = [...fixedNames, ...columns.map(columnName), ...(hasOthers ? [csvOtherColumn] : [])];
  const row = new LeadRow(columns, hasOthers, forms.names);
  return csvOf(names, (lead, turns) => row.cells(lead, turns));
}

/** Columns of the table that an export names differently. */
const exportedNames: Readonly<Record<string, string>> = { received: 'received_at', form: 'form_name' };

function chosenCsv(formNames: FormNames, chosen: readonly string[]): LeadCsv {
  const keyOf = (id: string) =>
    id.startsWith(fieldColumnPrefix) ? id.slice(fieldColumnPrefix.length) : undefined;
  const keys = chosen.flatMap((id) => keyOf(id) ?? []);
  const all = [...fixedNames, ...keys.map(columnName)];
  const row = new LeadRow(keys, false, formNames);
  const places = chosen.map((id) => {
    const key = keyOf(id);
    return key === undefined
      ? fixedNames.indexOf(exportedNames[id] ?? id)
      : fixedNames.length + keys.indexOf(key);
  });
  return csvOf(
    places.map((place) => all[place] ?? ''),
    async (lead, turns) => {
      const cells = await row.cells(lead, turns);
      return places.map((place) => cells[place] ?? '');
    },
  );
}

function csvOf(
  names: readonly string[],
  cellsOf: (lead: LeadRecord, turns: Turns) => Promise<string[]>,
): LeadCsv {
  return {
    header: csvLine(names.map(textCell)),
    async *lines(leads) {
      const turns = new Turns();
      let chunk = '';
      for (const lead of leads) {
        chunk += csvLine(await cellsOf(lead, turns));
        if (chunk.length < chunkCharacters) continue;
        yield chunk;
        chunk = '';
      }
      if (chunk !== '') yield chunk;
    },
  };
}

async function countKeys(leads: readonly LeadRecord[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const turns = new Turns();
  for (const { fieldsText } of leads) {
    let place = 0;
    for (const [key] of eachMember(fieldsText)) {
      if (++place % membersPerLook === 0) await turns.take();
      const count = counts.get(key) ?? 0;
      if (count > 0 || counts.size < keysCountedMax) counts.set(key, count + 1);
    }
    await turns.take();
  }
  return counts;
}

function mostFrequentFirst(counts: ReadonlyMap<string, number>): string[] {
  const byFrequency = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return byFrequency.map(([key]) => key);
}

function columnName(key: string): string {
  return [...fixedNames, csvOtherColumn].includes(key) ? `field.${key}` : key;
}

class LeadRow {
  readonly #places: ReadonlyMap<string, number>;
  readonly #hasOthers: boolean;
  readonly #formNames: FormNames;

  constructor(columns: readonly string[], hasOthers: boolean, formNames: FormNames) {
    this.#places = new Map(columns.map((key, place) => [key, place]));
    this.#hasOthers = hasOthers;
    this.#formNames = formNames;
  }

  async cells(record: LeadRecord, turns: Turns): Promise<string[]> {
    const lead = viewLead(record);
    const values = new Array<string>(this.#places.size).fill('');
    const others: string[] = [];
    let place = 0;
    for (const [key, valueText] of eachMember(record.fieldsText)) {
      if (++place % membersPerLook === 0) await turns.take();
      const column = this.#places.get(key);
      if (column === undefined) others.push(`${JSON.stringify(key)}: ${valueText}`);
      else values[column] = await longJsonCell(valueText, turns);
    }
    await turns.take();
    const fixed = fixedCells.map((cell) => cell(lead, this.#formNames));
    return [...fixed, ...values, ...(this.#hasOthers ? [await otherCell(others, turns)] : [])];
  }
}

/** Ids, times and words of ours need no escaping. */
function wordCell(word: string): string {
  return `"${word}"`;
}

/** `FIT_COMPANY +15; FIT_PHONE +15`: what the points are made of, short enough for a table. */
function pointsCell(reasons: ShownLead['reasons']): string {
  const parts = reasons.map(({ code, points }) => `${code} ${points > 0 ? '+' : ''}${points}`);
  return textCell(parts.join('; '));
}

async function otherCell(others: readonly string[], turns: Turns): Promise<string> {
  return others.length === 0 ? '' : longJsonCell(`{${others.join(', ')}}`, turns);
}
