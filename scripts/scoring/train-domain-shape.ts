import {
  type DomainShapeModel,
  domainShape,
  shapeSlots,
} from '../../src/domain/score/models/domain-shape.ts';
import { freeDomains, relayDomains } from '../../src/domain/score/tables/mail-domains.ts';
import { domainParts, partOfDomain, registrableDomains } from './domain-groups.ts';
import { type Example, trainLinearModel } from './linear-model.ts';
import { isUniversity, quantile, type TuningData } from './tuning-data.ts';

const slotCount = 16_384;
/** How many domains of companies and other people reach a level. */
const falseAlarms = { likely: 0.02, probable: 0.012, certain: 0.005 };
const universityWeight = 0.3;
/** Names go out of fashion: the lists of this year count more than those that were collected over many. */
const recentWeight = 3;
const olderWeight = 0.3;
const rareWeight = 2;
const newEnding = /\.(?!com$|net$|org$|gov$|edu$)(?:[a-z]{3,}|ru)$/;
const seed = 20_261_115;

export interface ShapeDomains {
  readonly recent: ReadonlySet<string>;
  readonly older: ReadonlySet<string>;
  readonly legitimate: readonly string[];
}

/** Registrable domains. A domain on a list is never an example of a legitimate one. */
export function shapeDomains(
  { disposableDomains, listedDomains, legitimateDomains, moreDomains }: TuningData,
  services: Iterable<string>,
): ShapeDomains {
  const recent = registrableDomains([...disposableDomains, ...services]);
  const older = registrableDomains(listedDomains).difference(recent);
  const legitimate = registrableDomains([
    ...legitimateDomains,
    ...moreDomains,
    ...freeDomains,
    ...relayDomains,
  ])
    .difference(recent)
    .difference(older);
  return { recent, older, legitimate: [...legitimate] };
}

/** `isTraining` tells what to learn from; thresholds are found on the second fifth of the legitimate domains. */
export function trainDomainShape(
  { recent, older, legitimate }: ShapeDomains,
  isTraining = (domain: string) => partOfDomain(domain) === 'train',
): DomainShapeModel {
  const examples = [
    ...[...recent].filter(isTraining).map((domain) => example(domain, true, recentWeight)),
    ...[...older].filter(isTraining).map((domain) => example(domain, true, olderWeight)),
    ...legitimate
      .filter((domain) => isTraining(domain) && partOfDomain(domain) === 'train')
      .map((domain) => example(domain, false, legitimateWeight(domain))),
  ].filter((made) => made !== null);
  const linear = trainLinearModel(examples, { slotCount, epochs: 4, rate: 0.1, decay: 0.1, seed });
  const untuned = { ...linear, likely: 0, probable: 0, certain: 0 };
  const scores = legitimate
    .filter((domain) => partOfDomain(domain) === 'calibrate' && !isUniversity(domain))
    .map((domain) => shapeScore(untuned, domain));
  const level = (share: number) => quantile(scores, 1 - share) + 1;
  return {
    ...linear,
    likely: level(falseAlarms.likely),
    probable: level(falseAlarms.probable),
    certain: level(falseAlarms.certain),
  };
}

/** More companies use new endings or digits, and more free providers have "mail" in their names, than the data shows. */
function legitimateWeight(domain: string): number {
  if (isUniversity(domain)) return universityWeight;
  return newEnding.test(domain) || /mail|[0-9]/.test(domain) ? rareWeight : 1;
}

function shapeScore(model: DomainShapeModel, domain: string): number {
  const parts = domainParts(domain);
  return parts === null ? 0 : domainShape(model, parts.label, parts.suffix);
}

const slots = new Uint32Array(256);

function example(domain: string, isPositive: boolean, weight: number): Example | null {
  const parts = domainParts(domain);
  if (parts === null) return null;
  const count = shapeSlots(parts.label, parts.suffix, slotCount - 1, slots);
  return count === 0 ? null : { slots: [...slots.subarray(0, count)], damping: 1, isPositive, weight };
}
