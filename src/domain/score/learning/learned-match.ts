import type { Hits } from '../hits.ts';
import type { LeadReading } from '../reading/reading.ts';
import type { TextScan } from '../reading/scan.ts';
import { ruleIndex, rules } from '../rules.ts';
import type { CompiledScoring } from '../settings/compile.ts';
import { type CompiledModel, domainHash, firstSlot, slotOf, slotsMax, weightUnit } from './learned-model.ts';
import { hostsOf, mailDomainOf } from './lesson.ts';

/** What learning reads of a lead while it is scored. */
export interface LearningReader {
  /** The text that was just scanned. */
  take(scan: TextScan): void;
  /** The whole lead was read, and all other findings are there. */
  end(reading: LeadReading, hits: Hits, form: CompiledScoring): void;
}

const spamRule = ruleIndex('LEARNED_SPAM');
const wantedRule = ruleIndex('LEARNED_WANTED');
/** A sum of weights up to this says nothing; from `fullSum` on, all points count. */
const noSum = 1;
const fullSum = 4.5;
/** From here on, more of the same counts less: a lead full of random words finds many. */
const matchesUndamped = 25;
const shownMax = 3;

/**
 * Compares a lead with what its form has learned. One object serves all leads in turn, and words are looked up by the hashes
 * of the scan, so a lead costs a few nanoseconds per word.
 */
export class LearnedMatch implements LearningReader {
  #model: CompiledModel | null = null;
  /** Slots that count for the lead with this number. */
  readonly #seen = new Uint32Array(slotsMax);
  #lead = 0;
  #sum = 0;
  #matches = 0;
  readonly #forSpam = new Strongest();
  readonly #forWanted = new Strongest();

  /** Null, without any work, for a form that has learned nothing. */
  begin(model: CompiledModel | null): LearningReader | null {
    if (model === null) return null;
    this.#model = model;
    this.#lead = (this.#lead + 1) >>> 0;
    if (this.#lead === 0) this.#restart();
    this.#sum = this.#matches = 0;
    this.#forSpam.clear();
    this.#forWanted.clear();
    return this;
  }

  /** After four thousand million leads, earlier numbers occur again. */
  #restart(): void {
    this.#seen.fill(0);
    this.#lead = 1;
  }

  take({ wordHashes, wordStarts, wordEnds, wordCount, text }: TextScan): void {
    // Local variables, because this runs for each word of a lead.
    const { slots, mask } = this.#model as CompiledModel;
    for (let word = 0; word < wordCount; word++) {
      const hash = wordHashes[word] as number;
      let slot = firstSlot(hash) & mask;
      let weight = slots[2 * slot + 1] as number;
      while (weight !== 0 && slots[2 * slot] !== hash) {
        slot = (slot + 1) & mask;
        weight = slots[2 * slot + 1] as number;
      }
      if (weight !== 0 && this.#isNew(slot))
        this.#note(weight, text, wordStarts[word] as number, wordEnds[word] as number);
    }
  }

  end(reading: LeadReading, hits: Hits, form: CompiledScoring): void {
    const mailDomain = mailDomainOf(reading);
    if (mailDomain !== null) this.#addDomain(domainHash('email', mailDomain), mailDomain);
    for (const host of hostsOf(reading)) this.#addDomain(domainHash('link', host), host);
    if (this.#matches === 0 || isSettled(hits)) return;
    const sum = this.#sum / weightUnit / Math.sqrt(Math.max(1, this.#matches / matchesUndamped));
    const strength = Math.min(1, (Math.abs(sum) - noSum) / (fullSum - noSum));
    if (strength <= 0) return;
    const rule = sum > 0 ? spamRule : wantedRule;
    const strongest = sum > 0 ? this.#forSpam : this.#forWanted;
    hits.addPoints(rule, Math.round((form.points[rule] as number) * strength), null, strongest.shown());
  }

  #addDomain(hash: number, domain: string): void {
    const model = this.#model as CompiledModel;
    const slot = slotOf(model, hash);
    const weight = model.slots[2 * slot + 1] as number;
    if (weight !== 0 && this.#isNew(slot)) this.#note(weight, domain, -1, domain.length);
  }

  /** What a lead repeats counts once. */
  #isNew(slot: number): boolean {
    if (this.#seen[slot] === this.#lead) return false;
    this.#seen[slot] = this.#lead;
    return true;
  }

  #note(weight: number, text: string, start: number, end: number): void {
    this.#sum += weight;
    this.#matches++;
    if (weight > 0) this.#forSpam.offer(weight, text, start, end);
    else this.#forWanted.offer(-weight, text, start, end);
  }
}

/** The words and domains of the lead that say most. They are cut out of its text only if they are shown. */
class Strongest {
  readonly #weights = new Int32Array(shownMax);
  readonly #texts: string[] = Array(shownMax).fill('');
  /** -1 for a domain. */
  readonly #starts = new Int32Array(shownMax);
  readonly #ends = new Int32Array(shownMax);

  clear(): void {
    this.#weights.fill(0);
  }

  offer(weight: number, text: string, start: number, end: number): void {
    let place = shownMax - 1;
    if (weight <= (this.#weights[place] as number)) return;
    for (; place > 0 && weight > (this.#weights[place - 1] as number); place--) this.#move(place - 1, place);
    this.#weights[place] = weight;
    this.#texts[place] = text;
    this.#starts[place] = start;
    this.#ends[place] = end;
  }

  #move(from: number, to: number): void {
    this.#weights[to] = this.#weights[from] as number;
    this.#texts[to] = this.#texts[from] as string;
    this.#starts[to] = this.#starts[from] as number;
    this.#ends[to] = this.#ends[from] as number;
  }

  shown(): string {
    const parts: string[] = [];
    for (let place = 0; place < shownMax && this.#weights[place] !== 0; place++) {
      const text = this.#texts[place] as string;
      const start = this.#starts[place] as number;
      parts.push(start < 0 ? text : `"${text.slice(start, this.#ends[place])}"`);
    }
    return parts.join(', ');
  }
}

const allowedRule = ruleIndex('LIST_ALLOWED');

/** What decides alone, and the owner's list, need nothing learned and cannot be overridden by it. */
function isSettled({ list }: Hits): boolean {
  for (const { rule, points } of list)
    if (rule === allowedRule || (points > 0 && rules[rule]?.decisive)) return true;
  return false;
}
