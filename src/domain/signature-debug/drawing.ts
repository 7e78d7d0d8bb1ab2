import { textOf } from './variants/body-variants.ts';

const drawnBytesMax = 4_000;
const edgeBytes = 16;
const names: Record<string, string> = {
  '\n': '⟨LF⟩\n',
  '\r': '⟨CR⟩',
  '\t': '⟨TAB⟩',
  '\0': '⟨NUL⟩',
  '\ufeff': '⟨BOM⟩',
  '\u00a0': '⟨NBSP⟩',
  '\u00ad': '⟨SHY⟩',
  '\u200b': '⟨ZWSP⟩',
};
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|(?! )\p{Zs}/gu;

/** The signed bytes, made readable. */
export interface DrawnString {
  /** Invisible characters are named in angle brackets; bytes that are not UTF-8 are shown by value. */
  readonly text: string;
  readonly isCut: boolean;
  readonly bytes: number;
  readonly bodyBytes: number;
  readonly firstBytesHex: string;
  readonly lastBytesHex: string;
}

export function drawStringToSign(timestamp: string, body: Buffer): DrawnString {
  const bytes = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
  const shown = bytes.subarray(0, characterStart(bytes, drawnBytesMax));
  return {
    text: draw(shown),
    isCut: shown.length < bytes.length,
    bytes: bytes.length,
    bodyBytes: body.length,
    firstBytesHex: bytes.subarray(0, edgeBytes).toString('hex'),
    lastBytesHex: bytes.subarray(-edgeBytes).toString('hex'),
  };
}

/** The position, or the start of the UTF-8 character it is in. */
function characterStart(bytes: Buffer, place: number): number {
  let at = Math.min(place, bytes.length);
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

function draw(bytes: Buffer): string {
  const text = textOf(bytes);
  if (text === null) return [...bytes].map(drawByte).join('');
  return text.replaceAll(invisible, drawCharacter).replace(/ +$/, (blanks) => '⟨SP⟩'.repeat(blanks.length));
}

function drawCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return names[character] ?? `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** For bytes that are not UTF-8: ASCII as is, everything else by value. */
function drawByte(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return byte < 0x80 ? drawCharacter(String.fromCharCode(byte)) : `⟨${byte.toString(16).toUpperCase()}⟩`;
}

/** Where two bodies start to differ, with the text of each. */
export interface Difference {
  readonly offset: number;
  readonly arrived: Excerpt;
  readonly signed: Excerpt;
}

interface Excerpt {
  readonly bytes: number;
  readonly hex: string;
  readonly text: string;
}

export function firstDifference(arrived: Buffer, signed: Buffer): Difference | null {
  if (arrived.equals(signed)) return null;
  let offset = 0;
  while (offset < arrived.length && offset < signed.length && arrived[offset] === signed[offset]) offset++;
  return { offset, arrived: excerpt(arrived, offset), signed: excerpt(signed, offset) };
}

function excerpt(body: Buffer, offset: number): Excerpt {
  const part = body.subarray(offset, offset + edgeBytes);
  return { bytes: body.length, hex: part.toString('hex'), text: draw(part) };
}
