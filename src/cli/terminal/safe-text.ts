/** Characters that control a terminal or reorder its text: control, format and separator characters. */
const steering = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const steeringOrColour = /(\x1b\[[\d;]*m)|[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const allowed = new Set(['\n', '\t']);

/** An untrusted value on one line, in which a terminal finds no control sequences. */
export function printable(text: string): string {
  return text.replace(steering, '�');
}

/** Our own text, including values: only line breaks and the colours of `styled` pass. */
export function safeText(text: string): string {
  return text.replace(steeringOrColour, (found, colour?: string) =>
    colour !== undefined || allowed.has(found) ? found : '�',
  );
}

/** JSON that is safe to show: the same value, with terminal control characters escaped. */
export function safeJson(value: unknown, indent?: number): string {
  return escapeSteering(JSON.stringify(value, null, indent));
}

/** For existing JSON text; JSON.stringify and PostgreSQL do not escape DEL, C1 and format characters. */
export function escapeSteering(json: string): string {
  return json.replace(steering, (found) => (found === '\n' || found === '\r' ? found : escaped(found)));
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
