import { eachMember, type JsonText, kindOf, membersOf, textOf, valueAt } from '../../json/json-text.ts';
import { type Attribution, readAttribution } from '../../lead/attribution.ts';
import type { LeadFacts } from '../lead-facts.ts';

/** A lead as filters and mappings read it. Each part is read when it is first asked for. */
class LeadDocument {
  readonly #lead: LeadFacts;
  #fields: ReadonlyMap<string, JsonText> | undefined;
  #attribution: Attribution | undefined;
  #members: ReadonlyMap<string, JsonText> | undefined;

  constructor(lead: LeadFacts) {
    this.#lead = lead;
  }

  fields(): ReadonlyMap<string, JsonText> {
    this.#fields ??= membersOf(this.#lead.fields);
    return this.#fields;
  }

  attribution(): Attribution {
    this.#attribution ??= readAttribution(this.fields(), firstMembers, textIn);
    return this.#attribution;
  }

  /** The members of `data` in the standard format, in its order; a mapping's pointers start here. */
  members(): ReadonlyMap<string, JsonText> {
    this.#members ??= this.#written();
    return this.#members;
  }

  #written(): ReadonlyMap<string, JsonText> {
    const { submissionId, form, receivedAt, surface, verdict, score, grade, ...texts } = this.#lead;
    return new Map([
      ['submission_id', JSON.stringify(submissionId)],
      ['form', JSON.stringify(form === null ? null : { id: form.id, slug: form.slug, name: form.name })],
      ['received_at', JSON.stringify(receivedAt)],
      ['surface', JSON.stringify(surface)],
      ['verdict', JSON.stringify(verdict)],
      ['score', JSON.stringify(score)],
      ['grade', JSON.stringify(grade)],
      ['fields', texts.fields],
      ['enrichment', texts.enrichment ?? 'null'],
      ['reasons', texts.reasons],
      ['attribution', JSON.stringify(Object.fromEntries(this.attribution()))],
      ['test', JSON.stringify(texts.isTest)],
    ]);
  }

  /** Members by key, and items of lists by their place: `['fields', 'tags', '0']`. */
  valueAt([first, ...others]: readonly string[]): JsonText | undefined {
    if (first === undefined) return undefined;
    const [key, ...rest] = others;
    if (first !== 'fields' || key === undefined) return valueIn(this.members().get(first), others);
    return valueIn(this.fields().get(key), rest);
  }
}

const documents = new WeakMap<LeadFacts, LeadDocument>();

/** A lead meets many filters: the first reads it, and the others use what it found. */
export function documentOf(lead: LeadFacts): LeadDocument {
  const known = documents.get(lead);
  if (known !== undefined) return known;
  const document = new LeadDocument(lead);
  documents.set(lead, document);
  return document;
}

/** The SDK of web pages writes a few; someone else may write thousands, which nobody reads. */
const membersReadMax = 200;

function firstMembers(json: JsonText = 'null'): ReadonlyMap<string, JsonText> {
  return new Map(kindOf(json) === 'object' ? eachMember(json).take(membersReadMax) : []);
}

function textIn(json: JsonText = 'null'): string | null {
  return kindOf(json) === 'text' ? textOf(json) : null;
}

function valueIn(json: JsonText | undefined, path: readonly string[]): JsonText | undefined {
  return json === undefined ? undefined : valueAt(json, path);
}

/** Empty is the same as missing: forms send empty text for fields that people leave blank. */
export function isPresent(json: JsonText | undefined): json is JsonText {
  return json !== undefined && json !== 'null' && json !== '""' && !/^(?:\[\s*\]|\{\s*\})$/.test(json);
}
