const trapFolder = /\/(?:wp-(?:includes|admin|content\/(?:plugins|themes))|cgi-bin|\.well-known)\//;
const trapFile = /\.(?:zip|rar|7z|exe|apk|scr|iso|msi|jar|vbs|bat|dmg)(?:$|[?#])/i;
const reader = /[#=][^/=&#@]{1,64}@[a-z0-9]/i;

/** Forgers put pages in folders of hacked sites, and the address of their victim behind the link. */
export function isTrap(path: string): boolean {
  if (path.includes('.') && trapFile.test(path)) return true;
  if (path.includes('@') && reader.test(path)) return true;
  return (path.includes('/wp-') || path.includes('/cgi-') || path.includes('/.')) && trapFolder.test(path);
}

const codeCharactersMin = 4;
const wordLettersMin = 4;
const longCodeCharactersMin = 20;
const longCodeChangesMin = 8;

/**
 * Shops and papers name what a page is about; links that only lead on consist of a code, or contain a long one in which
 * letters and digits take turns: "8f3k2j4h5g6f7d8s9a0", not "oak-shelf-80-cm-2024".
 */
export function hasCode(path: string): boolean {
  if (path.length < codeCharactersMin) return false;
  let hasWord = false;
  let isMixed = false;
  let letters = 0;
  let run = 0;
  let changes = 0;
  let before: number = kinds.other;
  for (let at = 0; at < path.length; at++) {
    const kind = kindOf(path.charCodeAt(at));
    letters = kind === kinds.letter || kind === kinds.capital ? letters + 1 : 0;
    if (letters >= wordLettersMin) hasWord = true;
    // Too little is left for a long code.
    if (hasWord && run + path.length - at < longCodeCharactersMin) return false;
    if (kind === kinds.digit || (kind === kinds.capital && before === kinds.letter)) isMixed = true;
    if (kind === kinds.other) run = changes = 0;
    else {
      run++;
      if (kind !== before && before !== kinds.other && kind !== kinds.joint) changes++;
      if (run >= longCodeCharactersMin && changes >= longCodeChangesMin) return true;
    }
    before = kind;
  }
  return isMixed && !hasWord;
}

const kinds = { other: 0, letter: 1, capital: 2, digit: 3, joint: 4 } as const;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return kinds.letter;
  if (code >= 65 && code <= 90) return kinds.capital;
  if (code >= 48 && code <= 57) return kinds.digit;
  return code === 45 || code === 95 ? kinds.joint : kinds.other;
}
