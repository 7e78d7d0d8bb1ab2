import {
  lengthDamping,
  pairSlot,
  type TextModel,
  textScore,
  wordSlot,
} from '../../src/domain/score/models/text-model.ts';
import { TextScan } from '../../src/domain/score/reading/scan.ts';
import { buyerPhrases } from '../../src/domain/score/tables/phrases.ts';
import { type Example, trainLinearModel } from './linear-model.ts';
import { type LabelledText, partOf, quantile, type TuningData } from './tuning-data.ts';

const slotCount = 65_536;
const seed = 20_261_115;
const scan = new TextScan();

/** There are many similar customer messages; fewer of them keep the model from learning banking instead of spam. */
const customerShare = 3;
const buyerWeight = 1;
const falseAlarms = { weak: 0.01, medium: 0.004, strong: 0.0012 };

export function trainText({ comments, sms, customerMessages }: TuningData): TextModel {
  const customers = customerMessages
    .filter((_, index) => index % customerShare === 0)
    .map((text): LabelledText => ({ isSpam: false, text }));
  const texts = [...comments, ...sms, ...customers];
  const examples = [
    ...texts
      .filter(({ text }) => partOf(text) === 'train')
      .map(({ text, isSpam }) => example(text, isSpam, 1)),
    ...buyerPhrases.map((phrase) => example(phrase, false, buyerWeight)),
  ];
  const linear = trainLinearModel(examples, {
    slotCount,
    epochs: 10,
    rate: 0.15,
    decay: 1e-5,
    seed,
    fixedBias: -1.5,
  });
  const untuned = { ...linear, weak: 0, medium: 0, strong: 0 };
  const ham = texts
    .filter(({ text, isSpam }) => !isSpam && partOf(text) === 'calibrate')
    .map(({ text }) => scoreOf(untuned, text));
  const at = (share: number) => Math.round(quantile(ham, 1 - share) * 10) / 10;
  return {
    ...linear,
    weak: at(falseAlarms.weak),
    medium: at(falseAlarms.medium),
    strong: at(falseAlarms.strong),
  };
}

function scoreOf(model: TextModel, text: string): number {
  scan.scan(text);
  return textScore(model, scan.wordHashes, scan.wordCount);
}

function example(text: string, isPositive: boolean, weight: number): Example {
  scan.scan(text);
  const slots: number[] = [];
  let before = 0;
  for (const hash of scan.wordHashes.subarray(0, scan.wordCount)) {
    slots.push(wordSlot(hash) & (slotCount - 1), pairSlot(before, hash) & (slotCount - 1));
    before = hash;
  }
  return { slots, damping: lengthDamping(scan.wordCount), isPositive, weight };
}
