import type { IconName } from '../../parts/icons.tsx';

export interface PaletteItem {
  readonly id: string;
  readonly group: 'Pages' | 'Forms' | 'Leads' | 'Actions' | 'Workspaces';
  readonly label: string;
  readonly detail?: string;
  readonly icon: IconName;
  /** Other words that people may type for it. */
  readonly words?: string;
  run(): void;
}

// Leads come a moment later, so they are last: what someone is about to choose stays where it is.
const groups: readonly PaletteItem['group'][] = ['Pages', 'Forms', 'Actions', 'Workspaces', 'Leads'];
const groupMax = 20;

/** The items that have every word of the query, those that begin with it first, in groups. */
export function matchingItems(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter((item) => words.every((word) => textOf(item).includes(word)));
  const isFirst = ({ label }: PaletteItem) => label.toLowerCase().startsWith(words.join(' '));
  const ranked = found.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  return groups.flatMap((group) => ranked.filter((item) => item.group === group).slice(0, groupMax));
}

function textOf({ label, detail, words }: PaletteItem): string {
  return `${label} ${detail ?? ''} ${words ?? ''}`.toLowerCase();
}
