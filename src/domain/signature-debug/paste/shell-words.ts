import { UnreadablePaste } from '../request.ts';

const escapes: Record<string, string> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** Splits a command like a POSIX shell, without running anything: substitutions are rejected. */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < command.length; ) {
    const continuation = /^\\\r?\n/.exec(command.slice(at, at + 3));
    if (continuation !== null) {
      at += continuation[0].length;
    } else if (/\s/.test(command[at] as string)) {
      if (word !== null) words.push(word);
      word = null;
      at++;
    } else {
      const piece = pieceAt(command, at);
      word = (word ?? '') + piece.text;
      at = piece.end;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

interface Piece {
  readonly text: string;
  readonly end: number;
}

function pieceAt(command: string, at: number): Piece {
  switch (command[at]) {
    case "'":
      return singleQuoted(command, at + 1);
    case '"':
      return doubleQuoted(command, at + 1);
    case '\\':
      return { text: command[at + 1] ?? '', end: at + 2 };
    case '$':
      if (command[at + 1] === "'") return dollarQuoted(command, at + 2);
      return refuseExpansion();
    case '`':
      return refuseExpansion();
    default:
      return { text: command[at] as string, end: at + 1 };
  }
}

function singleQuoted(command: string, from: number): Piece {
  const end = command.indexOf("'", from);
  if (end === -1) throw unclosed("'");
  return { text: command.slice(from, end), end: end + 1 };
}

function doubleQuoted(command: string, from: number): Piece {
  let text = '';
  for (let at = from; at < command.length; at++) {
    const sign = command[at] as string;
    if (sign === '"') return { text, end: at + 1 };
    if (sign === '`' || (sign === '$' && /[\w({]/.test(command[at + 1] ?? ''))) return refuseExpansion();
    if (sign === '\\' && /["\\$`\n]/.test(command[at + 1] ?? '')) {
      at++;
      if (command[at] !== '\n') text += command[at];
    } else text += sign;
  }
  throw unclosed('"');
}

/** $'…', which browsers and bash use for text with line breaks. */
function dollarQuoted(command: string, from: number): Piece {
  let text = '';
  for (let at = from; at < command.length; at++) {
    const sign = command[at] as string;
    if (sign === "'") return { text, end: at + 1 };
    if (sign !== '\\') {
      text += sign;
      continue;
    }
    const code = /^(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2}))/.exec(command.slice(at + 1, at + 6));
    if (code !== null) {
      text += String.fromCharCode(Number.parseInt(code[1] ?? (code[2] as string), 16));
      at += code[0].length;
    } else {
      at++;
      const escaped = command[at] ?? '';
      text += escapes[escaped] ?? escaped;
    }
  }
  throw unclosed("'");
}

function unclosed(quote: string): UnreadablePaste {
  return new UnreadablePaste(`a quote (${quote}) is never closed; paste the whole command`);
}

function refuseExpansion(): never {
  throw new UnreadablePaste(
    'the command contains a shell substitution ($… or `…`); replace it with the actual value',
  );
}
