/** Names of headings as GitHub makes them, so that a link works there and here. */
export class Anchors {
  readonly #seen = new Map<string, number>();

  next(text: string): string {
    const name = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = this.#seen.get(name) ?? 0;
    this.#seen.set(name, count + 1);
    return count === 0 ? name : `${name}-${count}`;
  }
}
