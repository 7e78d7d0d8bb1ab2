/** Enough to find what was mistyped; the service decides. */
const addressShape = /^[^\s@<>"(),:;]+@[^\s@<>]+\.[^\s@<>.]{2,}$/;

export function isAddress(text: string): boolean {
  return addressShape.test(text);
}

/** Addresses as people type and paste them: with names, between commas, spaces or lines. Each once, in lower case. */
export function addressesOf(texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => text.split(/[,;\n]/)).flatMap(partsOf);
  return [...new Set(parts.map((part) => part.toLowerCase()))];
}

/** `Ada <ada@example.com>` is one address, and `ada@example.com grace@example.com` are two. */
function partsOf(text: string): string[] {
  const named = /<([^<>]*)>\s*$/.exec(text)?.[1]?.trim();
  if (named) return [named];
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.every((word) => word.includes('@')) ? words : [text.trim()];
}
