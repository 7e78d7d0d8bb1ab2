import type { Block, Interval } from '../../../db/leads/blocks/block-rows.ts';
import type { LeadFilter } from '../../../db/leads/lead-filter.ts';

/** A part of the list by time: blocks that follow one another, or leads that no block covers. */
export type Segment =
  | { readonly blocks: readonly Block[] }
  | { readonly blocks: null; readonly open: Interval };

const beginning = new Date(0);
const end = new Date('9999-01-01T00:00:00Z');

/** The newest first. */
export function segmentsOf(blocks: readonly Block[]): Segment[] {
  const segments: Segment[] = [];
  let top = end;
  let together: Block[] = [];
  const close = (from: Date) => {
    if (together.length > 0) segments.push({ blocks: together });
    together = [];
    if (from < top) segments.push({ blocks: null, open: { from, to: top } });
  };
  for (const block of blocks) {
    if (block.to < top) close(block.to);
    together.push(block);
    top = block.from;
  }
  close(beginning);
  return segments;
}

export function openIn(segments: readonly Segment[]): Interval[] {
  return segments.flatMap((segment) => (segment.blocks === null ? [segment.open] : []));
}

/** The part of an interval in which leads can match. */
export function within({ from, to }: Interval, filter: LeadFilter): LeadFilter {
  return {
    ...filter,
    from: filter.from === undefined || filter.from < from ? from : filter.from,
    // Without an end, a walk starts now.
    to: to < end && (filter.to === undefined || filter.to > to) ? to : filter.to,
  };
}

export function overlaps({ from, to }: Interval, filter: LeadFilter): boolean {
  return (filter.from === undefined || filter.from < to) && (filter.to === undefined || filter.to > from);
}
