/** Characters that steer a terminal or reorder what it shows: control, format and separator characters. */
const steering = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const steeringOrColour = /(\x1b\[[\d;]*m)|[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const allowed = new Set(['\n', '\t']);

/** A value that somebody else chose, on one line: a terminal must not take any of it for a command. */
export function printable(text: string): string {
  return text.replace(steering, '�');
}

/** A whole text of ours, values included: only its line breaks and the colours of `styled` get through. */
export function safeText(text: string): string {
  return text.replace(steeringOrColour, (found, colour?: string) =>
    colour !== undefined || allowed.has(found) ? found : '�',
  );
}

/** JSON that is safe to show: the same value, with everything escaped that could steer a terminal. */
export function safeJson(value: unknown, indent?: number): string {
  return escapeSteering(JSON.stringify(value, null, indent));
}

/** For JSON that is written already; JSON.stringify and PostgreSQL leave DEL, C1 and format characters as they are. */
export function escapeSteering(json: string): string {
  return json.replace(steering, (found) => (found === '\n' || found === '\r' ? found : escaped(found)));
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
