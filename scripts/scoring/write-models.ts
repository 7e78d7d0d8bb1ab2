import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { readCorpus } from './corpus/corpus.ts';
import { hashDomains } from './hash-domains.ts';
import { shapeDomains, trainDomainShape } from './train-domain-shape.ts';
import { trainText } from './train-text.ts';
import { trainTrigrams } from './train-trigrams.ts';
import { readTuningData } from './tuning-data.ts';

/** Trains the scorer's models and writes them next to it. The same data gives the same bytes. */
const folder = process.argv[2];
if (folder === undefined)
  throw new Error('Pass the folder with the tuning data: npm run models:scoring -- <folder>');
const target = join(import.meta.dirname, '../../src/domain/score/models');
mkdirSync(target, { recursive: true });

const data = readTuningData(folder);
const { table, ...trigrams } = trainTrigrams(data);
const { weights: shapeWeights, ...domainShape } = trainDomainShape(
  shapeDomains(data, disposableEmailBlocklistSet()),
);
const { pairs, ...text } = trainText(readCorpus(folder));

writeFileSync(join(target, 'trigrams.bin'), table);
writeFileSync(join(target, 'domain-shape.bin'), shapeWeights);
writeFileSync(join(target, 'text.bin'), pairs);
if (data.listedDomains.length > 0) writeFileSync(join(target, 'abuse-domains.bin'), hashDomains(data));
writeFileSync(join(target, 'models.json'), `${JSON.stringify({ trigrams, domainShape, text }, null, 2)}\n`);
