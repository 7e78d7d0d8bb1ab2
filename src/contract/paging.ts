import { z } from 'zod';

const limitMax = 200;
const limitDefault = 50;

export const pageQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(limitMax)
    .default(limitDefault)
    .describe('How many items to answer.'),
  cursor: z.string().optional().describe('The `next_cursor` of the page before.'),
};

export type PageQuery = z.output<z.ZodObject<typeof pageQuery>>;

/** A page of a list, newest item first. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}
