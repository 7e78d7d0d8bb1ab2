import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DomainShapeModel } from './models/domain-shape.ts';
import type { TextModel } from './models/text-model.ts';
import type { TrigramModel } from './models/trigrams.ts';
import { type DomainList, disposableDomains } from './reading/email.ts';
import { HashTable } from './reading/hash-table.ts';
import { meantProvider } from './tables/provider-typos.ts';

/** The lists and models of the scorer. */
export interface ScoringData {
  readonly disposable: DomainList;
  readonly meantProvider: (domain: string) => string | null;
  readonly trigrams: TrigramModel;
  readonly domainShape: DomainShapeModel;
  readonly text: TextModel;
}

interface ModelFile {
  readonly trigrams: Omit<TrigramModel, 'table'>;
  readonly domainShape: Omit<DomainShapeModel, 'weights'>;
  readonly text: Omit<TextModel, 'weights'>;
}

const folder = join(import.meta.dirname, 'models');

/** Called once at start. `npm run models:scoring` makes the files. */
export function loadScoringData(): ScoringData {
  const { trigrams, domainShape, text }: ModelFile = JSON.parse(
    readFileSync(join(folder, 'models.json'), 'utf8'),
  );
  return {
    disposable: disposableDomains,
    meantProvider,
    trigrams: { ...trigrams, table: bytes('trigrams.bin') },
    domainShape: { ...domainShape, weights: bytes('domain-shape.bin') },
    text: { ...text, weights: textWeights() },
  };
}

/** Pairs of a feature and its value. */
function textWeights(): HashTable {
  const { buffer } = bytes('text.bin');
  const pairs = new Int32Array(buffer);
  const table = new HashTable([], pairs.length / 2);
  for (let at = 0; at < pairs.length; at += 2) table.set(pairs[at] as number, pairs[at + 1] as number);
  return table;
}

function bytes(file: string): Int8Array {
  return new Int8Array(readFileSync(join(folder, file)));
}
