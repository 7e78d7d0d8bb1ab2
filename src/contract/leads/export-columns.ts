import { z } from 'zod';
import { columnIdCharactersMax, columnsMax, fieldColumnPrefix, ownColumns } from './columns.ts';

const charactersMax = 100_000;
const example = '["received","score","field.email"]';
const names = [...ownColumns, 'grade', 'surface'];
const list = z.array(z.string().max(columnIdCharactersMax).refine(isColumn)).min(1).max(columnsMax);

/** Columns of the lead table. As JSON text, because a key can contain any character. */
export const exportColumns = z
  .string()
  .max(charactersMax)
  .transform((text, context): readonly string[] => {
    const { data } = list.safeParse(jsonIn(text));
    if (data !== undefined) return [...new Set(data)];
    const message = `must be a JSON list such as ${example}, of ${names.join(', ')} and ${fieldColumnPrefix}<key>`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .describe(
    `For a table of only these columns, in this order: a JSON list such as \`${example}\`, of ${names.map((name) => `\`${name}\``).join(', ')} and \`${fieldColumnPrefix}<key>\`.`,
  );

function isColumn(id: string): boolean {
  return names.includes(id) || (id.startsWith(fieldColumnPrefix) && id !== fieldColumnPrefix);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
