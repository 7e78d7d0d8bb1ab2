import { z } from 'zod';
import { directionControls } from '../domain/reading-direction.ts';

/** An object that refuses unknown members: a misspelt field must not be ignored silently. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `unknown field; known fields: ${known}` : undefined,
  });
}

/** The body of a PATCH. `options` only modify a change, so they are not enough by themselves. */
export function changes<Shape extends z.ZodRawShape>(shape: Shape, options: readonly string[] = []) {
  const changeable = Object.keys(shape).filter((key) => !options.includes(key));
  return strict(shape)
    .refine(
      (body) => changeable.some((key) => key in body),
      `nothing to change; send ${changeable.join(', ')}`,
    )
    .meta({ minProperties: 1 });
}

/**
 * Text that is stored or searched exactly as sent. PostgreSQL refuses NUL, and a lone surrogate cannot
 * be written as UTF-8.
 */
export function exactText(charactersMax: number, charactersMin = 1) {
  return z
    .string()
    .min(charactersMin)
    .max(charactersMax)
    .refine(
      (text) => !text.includes('\0') && text.isWellFormed(),
      'contains characters that cannot be stored',
    );
}

/** Text for people to read, such as a name: one line, trimmed. */
export function line(charactersMax: number) {
  return lineToFind(charactersMax).refine(
    (text) => !directionControls.test(text),
    'contains an invisible character that changes the reading direction; type the text instead of pasting it',
  );
}

/** One line to find in stored text, which may contain what `line` refuses. */
export function lineToFind(charactersMax: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(charactersMax)
    .refine(
      (text) => !/\p{Cc}/u.test(text) && text.isWellFormed(),
      'use one line of text without control characters',
    );
}

/** Any UUID that PostgreSQL accepts, whatever its version. */
export const id = z.guid({ error: ifPresent('use a UUID') }).toLowerCase();

/** A time in a response. */
export const time = z.iso.datetime();

const timeRule = 'use an RFC 3339 time such as 2026-11-15T08:00:00Z';
// A "+" that was not encoded in a URL arrives as a space.
const lostPlus = /T.* \d\d:\d\d$/;

/** A time in a request; it may have any offset. */
export const timeInput = z.iso
  .datetime({
    offset: true,
    error: (issue) =>
      ifPresent(lostPlus.test(String(issue.input)) ? `${timeRule} (write + as %2B in a URL)` : timeRule)(
        issue,
      ),
  })
  .transform((text) => new Date(text))
  // An offset can move the time outside four-digit years.
  .refine((time) => isFourDigitYear(time.getUTCFullYear()), timeRule);

function isFourDigitYear(year: number): boolean {
  return year >= 1 && year <= 9999;
}

/** The rule for a value. A missing value gets its own message. */
function ifPresent(rule: string) {
  return (issue: { readonly input?: unknown }) => (issue.input === undefined ? undefined : rule);
}

const limitMax = 200;
const limitDefault = 50;

export const pageQuery = {
  limit: z.coerce
    .number<number | string>()
    .int()
    .min(1)
    .max(limitMax)
    .default(limitDefault)
    .describe('How many items to return.'),
  cursor: z.string().optional().describe('The `next_cursor` of the previous page.'),
};

export type PageQuery = z.output<z.ZodObject<typeof pageQuery>>;

/** A page of a list, newest item first. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}
