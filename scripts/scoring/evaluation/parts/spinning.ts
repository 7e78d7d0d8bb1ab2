const greetings = ['Anna', 'Bob', 'Carla', 'Deniz', 'Emil', 'Farah', 'Gus', 'Hana', 'Ivo', 'Jun'];

/**
 * A text as spam programs vary it: a share of the words is replaced, sentences change places, a name is inserted. It is
 * worse than reality, where a word has only a few synonyms.
 */
export function spun(text: string, share: number, words: readonly string[], random: () => number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] as string;
  const sentences = text.split(/(?<=[.?!]) /);
  if (share > 0 && random() < 0.5) sentences.push(sentences.shift() as string);
  const changed = sentences
    .join(' ')
    .split(/\s+/)
    .map((word) => (random() < share ? pick(words) : word));
  return share > 0 ? `Hello ${pick(greetings)}, ${changed.join(' ')}` : changed.join(' ');
}
