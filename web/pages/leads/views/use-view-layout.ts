import { useSessionStorage } from '@mantine/hooks';
import type { LeadTableView } from '../../../../src/contract/leads/table.ts';
import type { LeadView } from '../../../../src/contract/leads/views.ts';

/**
 * The columns of a view, and what the person changed of them without saving. The URL cannot carry them, so the tab keeps
 * the change until it is saved or undone.
 */
export function useViewLayout(view: LeadView | undefined) {
  const [draft, setDraft, forget] = useSessionStorage<{ readonly layout: LeadTableView | null } | null>({
    key: `leadgate-view-columns:${view?.id ?? ''}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const saved = view?.layout ?? null;
  const layout = draft === null ? saved : draft.layout;
  return {
    layout,
    isChanged: view !== undefined && JSON.stringify(layout) !== JSON.stringify(saved),
    change: (next: LeadTableView | null) => setDraft({ layout: next }),
    forget,
  };
}
