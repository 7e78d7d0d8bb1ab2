import { directions } from '../../reading-direction.ts';

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// So much of a text is read at most: what is removed from it may be more than what is shown.
const readFactor = 4;

/** Line breaks stay; whatever else has no shape is removed. */
export function textForPeople(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(controls, '')
    .replace(directions, '');
}

/** Some lines, for values. The time depends on the limit, not on the text. */
export function linesOf(text: string, charactersMax: number): string {
  return cut(text, charactersMax, (part) => textForPeople(part).trimEnd());
}

/** One line, for titles and subjects. */
export function lineOf(text: string, charactersMax: number): string {
  return cut(text, charactersMax, (part) => textForPeople(part).replace(/\s+/g, ' ').trim());
}

function cut(text: string, charactersMax: number, read: (part: string) => string): string {
  const readMax = readFactor * charactersMax;
  if (text.length <= readMax) return shortened(read(text), charactersMax);
  const beginning = read(withoutHalf(text.slice(0, readMax)));
  return shortened(`${beginning.slice(0, charactersMax)}…`, charactersMax);
}

/** Cut with an ellipsis, never in the middle of a character. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${withoutHalf(text.slice(0, charactersMax - 1)).trimEnd()}…`;
}

/** A text that was cut in the middle of a character ends with half of it. */
function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
