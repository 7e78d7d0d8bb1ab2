import { useMemo, useState } from 'react';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { columnWidthMax, columnWidthMin, fieldColumnPrefix } from '../../../../src/contract/leads/columns.ts';
import type { LeadListed } from '../../../../src/contract/leads/lead.ts';
import type { ColumnChoice } from '../../../../src/contract/leads/table.ts';
import type { LeadView } from '../../../../src/contract/leads/views.ts';
import { useArrangement } from './arrangement.ts';
import { identityRank, otherRank } from './identity.ts';
import { KeyOrder } from './key-order.ts';

export interface LeadColumn {
  readonly id: string;
  readonly label: string;
  readonly width: number;
  readonly isShown: boolean;
  /** The form does not declare this field. */
  readonly isUndeclared: boolean;
}

const discoveredShownMax = 5;
const fieldWidth = 180;
/** Holds the link to the lead, so it always comes first. */
export const firstColumnId = 'received';

const own = (id: string, label: string, width: number): LeadColumn => ({
  id,
  label,
  width,
  isShown: true,
  isUndeclared: false,
});
const before = [
  own(firstColumnId, 'Received', 132),
  own('verdict', 'Verdict', 116),
  own('score', 'Score', 84),
];
const after = [own('form', 'Form', 160)];

/** The columns of the table as the person has arranged them; the rest keep their defaults. */
export function useLeadColumns(
  leads: readonly LeadListed[],
  forms: readonly Form[],
  formId: string | undefined,
  view: LeadView | undefined,
) {
  const { choices, keep } = useArrangement(formId, view);
  const [order] = useState(() => new KeyOrder());
  const untouched = useMemo(
    () => [...before, ...fieldColumns(order.of(formId, leads), forms, formId), ...after],
    [order, leads, forms, formId],
  );
  const columns = useMemo(() => arranged(untouched, choices), [untouched, choices]);
  // Arranged columns that no loaded lead has keep their positions.
  const known = new Set(choices.map(({ id }) => id));
  const all = [
    ...choices,
    ...columns.filter(({ id }) => !known.has(id)).map(({ id }): ColumnChoice => ({ id })),
  ];
  const change = (id: string, choice: Partial<ColumnChoice>) =>
    keep(all.map((each) => (each.id === id ? { ...each, ...choice } : each)));
  return {
    columns,
    toggle: (id: string, shown: boolean) => change(id, { shown }),
    resize: (id: string, width: number) => change(id, { width: boundedWidth(width) }),
    /** Moves a column to the position of another. */
    moveTo(id: string, targetId: string) {
      const from = all.findIndex((each) => each.id === id);
      const to = all.findIndex((each) => each.id === targetId);
      if (from === -1 || to === -1 || id === firstColumnId || targetId === firstColumnId) return;
      keep(all.toSpliced(from, 1).toSpliced(to, 0, ...all.slice(from, from + 1)));
    },
    reset: () => keep(null),
  };
}

export type LeadColumns = ReturnType<typeof useLeadColumns>;

export function boundedWidth(width: number): number {
  return Math.round(Math.max(columnWidthMin, Math.min(columnWidthMax, width)));
}

/** Who it is, if the form does not declare that; then declared fields in their order; then other keys of the loaded leads. */
function fieldColumns(
  seen: readonly string[],
  forms: readonly Form[],
  formId: string | undefined,
): LeadColumn[] {
  const relevant = forms.filter((form) => formId === undefined || form.id === formId);
  const declared = new Map(
    relevant.flatMap(({ fields }) => fields.map((field) => [field.key, field.label ?? field.key])),
  );
  const ranks = new Set([...declared.keys()].map(identityRank));
  const others = seen.filter((key) => !declared.has(key));
  const isPerson = (key: string) => identityRank(key) !== otherRank && !ranks.has(identityRank(key));
  const people = others.filter(isPerson);
  const rest = others.filter((key) => !isPerson(key));
  const shown = new Set(
    declared.size > 0 ? [...people, ...declared.keys()] : others.slice(0, discoveredShownMax),
  );
  return [...people, ...declared.keys(), ...rest].map((key) => ({
    id: `${fieldColumnPrefix}${key}`,
    label: declared.get(key) ?? key,
    width: fieldWidth,
    isShown: shown.has(key),
    isUndeclared: !declared.has(key),
  }));
}

function arranged(columns: readonly LeadColumn[], choices: readonly ColumnChoice[]): LeadColumn[] {
  const chosen = new Map(choices.map((choice, place) => [choice.id, { ...choice, place }]));
  const placeOf = ({ id }: LeadColumn) =>
    id === firstColumnId ? -1 : (chosen.get(id)?.place ?? choices.length);
  return columns
    .map((column) => {
      const { shown, width } = chosen.get(column.id) ?? {};
      return { ...column, isShown: shown ?? column.isShown, width: width ?? column.width };
    })
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}
