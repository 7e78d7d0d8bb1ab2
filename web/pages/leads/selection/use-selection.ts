import { createContext, useContext, useState } from 'react';

/** As many as one call accepts by their IDs. */
export const selectedMax = 1_000;

interface State {
  /** What is listed. Other filters end the selection. */
  readonly list: string;
  readonly chosen: ReadonlySet<string>;
  /** All that match the filters, also those that are not loaded. */
  readonly isAll: boolean;
  /** Where a range begins: the row that was chosen last. */
  readonly anchor: string | null;
}

const nothing = { chosen: new Set<string>(), isAll: false, anchor: null };

/**
 * The leads that are selected, known by their IDs, so that paging and live updates change nothing. Those that leave the list
 * leave the selection too.
 */
export function useLeadSelection(list: string, loaded: readonly string[], isGone: (id: string) => boolean) {
  const [state, setState] = useState<State>({ list, ...nothing });
  const { chosen, isAll, anchor } = state.list === list ? state : { ...state, ...nothing };
  const there = loaded.filter((id) => !isGone(id));
  const ids = isAll ? [] : there.filter((id) => chosen.has(id)).slice(0, selectedMax);
  const set = (next: Iterable<string>, from: string | null) =>
    setState({ list, chosen: new Set([...next].slice(0, selectedMax)), isAll: false, anchor: from });
  /** Without one of them it is no longer everything. */
  const now = () => (isAll ? there : ids);
  const isChosen = (id: string) => isAll || (chosen.has(id) && !isGone(id));
  return {
    ids,
    isAll,
    isEmpty: !isAll && ids.length === 0,
    /** All loaded ones, or as many as can be selected by their IDs. */
    isAllLoaded: isAll || (ids.length > 0 && ids.length === Math.min(there.length, selectedMax)),
    isChosen,
    toggle(id: string) {
      set(isChosen(id) ? now().filter((one) => one !== id) : [...now(), id], id);
    },
    /** From the row that was chosen last to this one. */
    chooseTo(id: string, from = anchor) {
      const [a, b] = [loaded.indexOf(from ?? id), loaded.indexOf(id)];
      if (a === -1 || b === -1) return set([...now(), id], id);
      const range = loaded.slice(Math.min(a, b), Math.max(a, b) + 1);
      set(new Set([...now(), ...range]), from ?? id);
    },
    chooseLoaded: (isWanted: boolean) => set(isWanted ? there : [], null),
    chooseAll: () => setState({ list, chosen: new Set(), isAll: true, anchor: null }),
    clear: () => set([], null),
  };
}

export type LeadSelection = ReturnType<typeof useLeadSelection>;

const Context = createContext<LeadSelection | null>(null);
export const SelectionProvider = Context.Provider;

/** Null where leads are listed that cannot be selected. */
export const useSelection = () => useContext(Context);
