import { fieldColumnPrefix } from '../../contract/leads/columns.ts';
import { fieldColumnsMax, otherColumn } from '../../contract/leads.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { eachMember, type JsonText } from '../../domain/json/json-text.ts';
import { Turns } from '../../time/turns.ts';
import { viewLead } from './leads.ts';

type ShownLead = ReturnType<typeof viewLead>;
type FormNames = ReadonlyMap<string, string>;

/** The columns that every table has, with what is in them. */
const fixedColumns: Readonly<Record<string, (lead: ShownLead, formNames: FormNames) => JsonText>> = {
  submission_id: (lead) => JSON.stringify(lead.submission_id),
  received_at: (lead) => JSON.stringify(lead.received_at),
  form_id: (lead) => JSON.stringify(lead.form_id),
  form_name: (lead, formNames) => JSON.stringify(formNames.get(lead.form_id) ?? ''),
  surface: (lead) => JSON.stringify(lead.surface),
  verdict: (lead) => JSON.stringify(lead.verdict),
  grade: (lead) => JSON.stringify(lead.grade),
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
// How many members of a lead are read between looks at the clock.
const membersPerLook = 32;

/** What a spreadsheet gets. */
export interface ExportTable {
  readonly names: readonly string[];
  /** A value for each column; `null` if there is none. */
  readonly rows: AsyncIterable<readonly JsonText[]>;
}

interface Columns {
  readonly names: readonly string[];
  /** Yields to other work in between. */
  cells(lead: LeadRecord, turns: Turns): Promise<JsonText[]>;
}

/** What the forms say about the columns. */
export interface TableForms {
  readonly declared: readonly string[];
  readonly names: FormNames;
}

/** `isWhole`: there are no other leads. `chosen`: columns of the lead table; everything if left out. */
export async function tableColumns(
  forms: TableForms,
  leads: readonly LeadRecord[],
  isWhole: boolean,
  chosen?: readonly string[],
): Promise<Columns> {
  if (chosen !== undefined) return chosenColumns(forms.names, chosen);
  const counted = await countKeys(leads);
  const keys = [...new Set([...forms.declared, ...mostFrequentFirst(counted)])];
  const columns = keys.slice(0, fieldColumnsMax);
  const hasOthers = !isWhole || keys.length > columns.length || counted.size >= keysCountedMax;
  const names = [...fixedNames, ...columns.map(columnName), ...(hasOthers ? [otherColumn] : [])];
  const row = new LeadRow(columns, hasOthers, forms.names);
  return { names, cells: (lead, turns) => row.cells(lead, turns) };
}

/** Columns of the table that an export names differently. */
const exportedNames: Readonly<Record<string, string>> = { received: 'received_at', form: 'form_name' };

function chosenColumns(formNames: FormNames, chosen: readonly string[]): Columns {
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
  return {
    names: places.map((place) => all[place] ?? ''),
    async cells(lead, turns) {
      const cells = await row.cells(lead, turns);
      return places.map((place) => cells[place] ?? 'null');
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
  return [...fixedNames, otherColumn].includes(key) ? `field.${key}` : key;
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

  async cells(record: LeadRecord, turns: Turns): Promise<JsonText[]> {
    const lead = viewLead(record);
    const values = new Array<JsonText>(this.#places.size).fill('null');
    const others: string[] = [];
    let place = 0;
    for (const [key, valueText] of eachMember(record.fieldsText)) {
      if (++place % membersPerLook === 0) await turns.take();
      const column = this.#places.get(key);
      if (column === undefined) others.push(`${JSON.stringify(key)}: ${valueText}`);
      else values[column] = valueText;
    }
    await turns.take();
    const fixed = fixedCells.map((cell) => cell(lead, this.#formNames));
    const other = others.length === 0 ? 'null' : `{${others.join(', ')}}`;
    return [...fixed, ...values, ...(this.#hasOthers ? [other] : [])];
  }
}

/** `FIT_COMPANY +15; FIT_PHONE +15`: what the points are made of, short enough for a table. */
function pointsCell(reasons: ShownLead['reasons']): JsonText {
  const parts = reasons.map(({ code, points }) => `${code} ${points > 0 ? '+' : ''}${points}`);
  return JSON.stringify(parts.join('; '));
}

const shortenedMark = '… [cut]';

/** A text that fits in a cell. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return text.slice(0, charactersMax - shortenedMark.length) + shortenedMark;
}
