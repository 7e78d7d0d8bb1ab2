import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { loadScoringData, type ScoringData } from '../../../../src/domain/score/data.ts';
import { classifyDomain, isFreeSubdomain } from '../../../../src/domain/score/reading/email.ts';
import { createScorer } from '../../../../src/domain/score/scorer.ts';
import { compileScoring } from '../../../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../../../src/domain/score/settings/settings.ts';
import { freeDomains, relayDomains } from '../../../../src/domain/score/tables/mail-domains.ts';
import { domainParts, partOfDomain, registrableDomains } from '../../domain-groups.ts';
import { type ShapeDomains, shapeDomains, trainDomainShape } from '../../train-domain-shape.ts';
import { isUniversity, partOf, readTuningData, type TuningData } from '../../tuning-data.ts';

/**
 * What to expect of domains that no list and no model has seen, from models that are trained here for this purpose only.
 * Leads are otherwise clean: an ordinary name and a short message.
 */
const folder = process.argv[2];
if (folder === undefined)
  throw new Error('Pass the folder with the tuning data: npm run eval:domains -- <folder>');
const data = readTuningData(folder);
const shipped = loadScoringData();
const form = compileScoring(defaultScoringSettings, [], 0);
const perEndingMax = 5;

/** Lists and model as they were in February, domains that were listed from then until September. */
function forward({ disposableDomains, earlierDomains, ...rest }: TuningData): void {
  print('\nForward: known until February, listed until September');
  const known = registrableDomains([...disposableDomains, ...earlierDomains]);
  const later = registrableDomains(disposableEmailBlocklistSet()).difference(known);
  const then = { ...rest, disposableDomains, earlierDomains, listedDomains: earlierDomains };
  const domainShape = trainDomainShape(withoutLater(shapeDomains(then, []), later), () => true);
  const scoring = { ...shipped, domainShape, disposable: new Set([...disposableDomains, ...earlierDomains]) };
  const list = [...later];
  found('all', list, scoring);
  const lists = new Set([...disposableDomains, ...rest.listedDomains]);
  found('all, with the longer lists of August', list, { ...scoring, disposable: lists });
  found(`at most ${perEndingMax} under one ending`, fewPerEnding(list), scoring);
  found(
    'without free subdomains',
    list.filter((domain) => !isFreeSubdomain(domain)),
    scoring,
  );
}

function withoutLater(domains: ShapeDomains, later: ReadonlySet<string>): ShapeDomains {
  return { ...domains, legitimate: domains.legitimate.filter((domain) => !later.has(domain)) };
}

/** Whole endings are left out, with everything that was registered under them; no list knows the domains. */
function withoutEndings(tuning: TuningData): void {
  print('\nEndings that the model has never seen, without lists');
  const domains = shapeDomains(tuning, disposableEmailBlocklistSet());
  const isLeftOut = (domain: string) => {
    const { suffix } = domainParts(domain) ?? { suffix: '' };
    return !/^(?:com|net|org)$/.test(suffix) && partOf(`ending:${suffix}`) === 'held_back';
  };
  const domainShape = trainDomainShape(
    domains,
    (domain) => !isLeftOut(domain) && partOfDomain(domain) === 'train',
  );
  const scoring = { ...shipped, domainShape, disposable: new Set<string>() };
  found('disposable', [...domains.recent].filter(isLeftOut), scoring);
  found('real', domains.legitimate.filter(isLeftOut), scoring);
}

/** Beginnings of names that the model has never seen, without lists: an operator's similar names stay together. */
function heldBack(tuning: TuningData): void {
  print('\nNames that the model has never seen, without lists');
  const { recent, older } = shapeDomains(tuning, disposableEmailBlocklistSet());
  const scoring = { ...shipped, disposable: new Set<string>() };
  const unseen = (list: Iterable<string>) =>
    [...list].filter((domain) => partOfDomain(domain) === 'held_back');
  found('lists of this year', unseen(recent), scoring);
  found('longer lists', unseen(older), scoring);
}

const kinds: readonly (readonly [string, (domain: string) => boolean])[] = [
  ['all', () => true],
  ['.com without digits', (domain) => /^[^0-9]+\.com$/.test(domain)],
  ['country domains', (domain) => /\.[a-z]{2}$/.test(domain)],
  ['.io, .ai, .dev, .app', (domain) => /\.(?:io|ai|dev|app)$/.test(domain)],
  ['.ru', (domain) => domain.endsWith('.ru')],
  [
    'other new endings',
    (domain) => /\.(?!com$|net$|org$|gov$|edu$|info$|biz$|dev$|app$)[a-z]{3,}$/.test(domain),
  ],
  ['hyphen', (domain) => /^[^.]*-/.test(domain)],
  ['digit', (domain) => /^[^.]*\d/.test(domain)],
  ['up to four letters', (domain) => /^[^.]{1,4}\./.test(domain)],
  [
    'clubs, clinics, churches, schools, shops',
    (domain) => /club|verein|clini|klini|hospital|church|kirche|schul|shop|praxis/.test(domain),
  ],
  ['public authorities', (domain) => /\.gov(?:\.[a-z]{2})?$/.test(domain)],
  ['universities', isUniversity],
];

/** Real domains that neither the model nor its thresholds have seen, with lists from which nothing was left out. */
function realDomains(tuning: TuningData): void {
  print('\nReal domains: false alarms');
  const listed = new Set([...tuning.listedDomains, ...disposableEmailBlocklistSet()]);
  const scoring = { ...shipped, disposable: listed };
  const unseen = (list: readonly string[]) =>
    [...registrableDomains(list)].filter((domain) => partOfDomain(domain) === 'held_back');
  found(
    'directory of companies',
    unseen(tuning.legitimateDomains).filter((domain) => !isUniversity(domain)),
    scoring,
  );
  const more = unseen([...tuning.legitimateDomains, ...tuning.moreDomains]);
  for (const [name, isOfKind] of kinds) found(name, more.filter(isOfKind), scoring);
  found('free providers, forwarding services', [...freeDomains, ...relayDomains], scoring);
}

function fewPerEnding(domains: readonly string[]): string[] {
  const groups = Map.groupBy(domains, (domain) => domain.slice(domain.indexOf('.') + 1));
  return [...groups].flatMap(([ending, group]) =>
    ending.includes('.') ? group.slice(0, perEndingMax) : group,
  );
}

function found(name: string, domains: readonly string[], scoring: ScoringData): void {
  if (domains.length === 0) return;
  const scorer = createScorer(scoring);
  const counts = { listed: 0, noticed: 0, suspect: 0, spam: 0 };
  for (const domain of domains) {
    const { reasons, verdict } = scorer.score(
      {
        name: 'Anna Miller',
        email: `anna.miller@${domain}`,
        message: 'Please send me your price list. Thank you.',
      },
      form,
      { now: 0 },
    );
    if (classifyDomain(domain, scoring.disposable) === 'disposable') counts.listed++;
    if (reasons.some(({ code }) => /^EMAIL_(?:DISPOSABLE|DOMAIN|FREE)/.test(code))) counts.noticed++;
    if (verdict !== 'clean') counts.suspect++;
    if (verdict === 'spam') counts.spam++;
  }
  const { length } = domains;
  print(
    `${name.padEnd(42)} ${String(length).padStart(6)}  listed ${share(counts.listed, length)}  listed or shaped ${share(counts.noticed, length)}  suspect or worse ${share(counts.suspect, length)}  spam ${share(counts.spam, length)}`,
  );
}

/** With the Wilson interval of 95 %. */
function share(hits: number, of: number): string {
  const z = 1.96;
  const part = hits / of;
  const centre = (part + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((part * (1 - part)) / of + (z * z) / (4 * of * of));
  const percent = (value: number) => (Math.max(0, value) * 100).toFixed(2);
  return `${percent(part).padStart(6)} % (${percent(centre - half)} to ${percent(centre + half)})`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

forward(data);
withoutEndings(data);
heldBack(data);
realDomains(data);
