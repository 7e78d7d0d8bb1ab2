import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Form } from '../../../src/contract/form.ts';
import type { Lead } from '../../../src/contract/lead.ts';
import { useMe, useWorkspaceId } from '../../shell/workspace.ts';

/** How a person arranged the table; kept per person, workspace and form in his browser. */
interface Arrangement {
  readonly order: readonly string[];
  /** Only what differs from the default: true shows, false hides. */
  readonly shown: Readonly<Record<string, boolean>>;
  readonly widths: Readonly<Record<string, number>>;
}

export interface FieldColumn {
  readonly key: string;
  readonly label: string;
  readonly isShown: boolean;
  readonly isDeclared: boolean;
}

const untouched: Arrangement = { order: [], shown: {}, widths: {} };
const discoveredShownMax = 5;

/** The columns: declared fields in their order, then keys that the loaded leads have. */
export function useLeadColumns(leads: readonly Lead[], forms: readonly Form[], formId: string | undefined) {
  const place = `${useMe()?.user.id ?? ''}:${useWorkspaceId()}:${formId ?? 'all'}`;
  const [kept, keep] = useLocalStorage<Arrangement>({
    key: `leadgate-columns:${place}`,
    defaultValue: untouched,
  });
  const columns = useMemo(() => {
    const relevant = forms.filter((form) => formId === undefined || form.id === formId);
    const declared = new Map(
      relevant.flatMap(({ fields }) => fields.map((field) => [field.key, field.label ?? field.key])),
    );
    const seen = new Set(leads.flatMap((lead) => Object.keys(lead.fields)));
    const keys = [...declared.keys(), ...[...seen].filter((key) => !declared.has(key))];
    const isShown = (key: string, i: number) =>
      kept.shown[key] ?? (declared.size > 0 ? declared.has(key) : i < discoveredShownMax);
    const all = keys.map((key, i): FieldColumn => {
      return {
        key,
        label: declared.get(key) ?? key,
        isShown: isShown(key, i),
        isDeclared: declared.has(key),
      };
    });
    const rank = (key: string) => {
      const found = kept.order.indexOf(key);
      return found === -1 ? kept.order.length : found;
    };
    return all.toSorted((a, b) => rank(a.key) - rank(b.key));
  }, [leads, forms, formId, kept]);
  return {
    columns,
    widths: kept.widths,
    toggle: (key: string, isShown: boolean) => keep({ ...kept, shown: { ...kept.shown, [key]: isShown } }),
    resize: (widths: Readonly<Record<string, number>>) =>
      keep({ ...kept, widths: { ...kept.widths, ...widths } }),
    move(key: string, by: -1 | 1) {
      const order = columns.map((column) => column.key);
      const from = order.indexOf(key);
      order.splice(from, 1);
      order.splice(Math.max(0, from + by), 0, key);
      keep({ ...kept, order });
    },
    reset: () => keep(untouched),
  };
}

export type LeadColumns = ReturnType<typeof useLeadColumns>;
