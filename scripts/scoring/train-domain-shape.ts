import { parse } from 'tldts';
import {
  type DomainShapeModel,
  domainShape,
  forEachShapeFeature,
} from '../../src/domain/score/models/domain-shape.ts';
import { type Example, trainLinearModel } from './linear-model.ts';
import { isUniversity, partOf, quantile, type TuningData } from './tuning-data.ts';

const slotCount = 8_192;
const likelyFalseAlarms = 0.009;
const probableFalseAlarms = 0.003;
const universityWeight = 0.3;
const seed = 20_261_115;

/** The registrable part of a domain, as the scorer splits it. */
function shapeParts(domain: string): { label: string; suffix: string } | null {
  const { domainWithoutSuffix, publicSuffix } = parse(domain, { allowPrivateDomains: true });
  if (!domainWithoutSuffix || !publicSuffix) return null;
  return { label: domainWithoutSuffix, suffix: publicSuffix };
}

export function trainDomainShape(data: TuningData, listed: ReadonlySet<string>): DomainShapeModel {
  const disposable = new Set(
    [...data.disposableDomains, ...listed].map(registrable).filter((domain) => domain !== null),
  );
  const examples = [
    ...[...disposable].filter(isTraining).map((domain) => example(domain, true, 1)),
    ...data.legitimateDomains
      .filter(isTraining)
      .map((domain) => example(domain, false, isUniversity(domain) ? universityWeight : 2)),
  ].filter((made) => made !== null);
  const linear = trainLinearModel(examples, { slotCount, epochs: 12, rate: 0.1, decay: 2e-5, seed });
  const untuned = { ...linear, likely: 0, probable: 0 };
  const companies = data.legitimateDomains
    .filter((domain) => partOf(domain) === 'calibrate' && !isUniversity(domain))
    .map((domain) => shapeScore(untuned, domain));
  return {
    ...linear,
    likely: quantile(companies, 1 - likelyFalseAlarms) + 1,
    probable: quantile(companies, 1 - probableFalseAlarms) + 1,
  };
}

export function shapeScore(model: DomainShapeModel, domain: string): number {
  const parts = shapeParts(domain);
  return parts === null ? 0 : domainShape(model, parts.label, parts.suffix);
}

function registrable(domain: string): string | null {
  const parts = shapeParts(domain);
  return parts === null ? null : `${parts.label.split('.').at(-1)}.${parts.suffix}`;
}

function isTraining(domain: string): boolean {
  return partOf(domain) === 'train';
}

function example(domain: string, isPositive: boolean, weight: number): Example | null {
  const parts = shapeParts(domain);
  if (parts === null) return null;
  const slots: number[] = [];
  forEachShapeFeature(parts.label, parts.suffix, (hash) => slots.push(hash & (slotCount - 1)));
  return { slots, damping: 1, isPositive, weight };
}
