/** The texts between the stars of a glob, to be found one after the other. */
export interface Glob {
  readonly pieces: readonly string[];
}

const piecesMax = 16;

/** A text without a star matches anywhere, as people expect of a keyword. */
export function compileGlob(text: string): Glob {
  const pieces = text
    .trim()
    .toLowerCase()
    .split('*')
    .filter((piece) => piece !== '');
  return { pieces: pieces.slice(0, piecesMax) };
}

/** Linear in the text: each piece is searched after the previous one, without backtracking. */
export function matchesGlob({ pieces }: Glob, lowerText: string): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = lowerText.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return pieces.length > 0;
}
