import type { PageSignals } from '../browser/page-signals.ts';
import { attributionOf, contextField } from '../lead/attribution.ts';
import type { LeadFields } from '../lead/lead.ts';
import type { ScoringData } from './data.ts';
import { judgeBehaviour } from './families/behaviour.ts';
import { judgeCharacters, judgeText } from './families/content.ts';
import { judgeEmail, judgeMailServer } from './families/email.ts';
import { judgeFit } from './families/fit.ts';
import { judgeCompany, judgeName } from './families/identity.ts';
import { judgeMessage, judgeOrigin } from './families/intent.ts';
import { collectLinks, judgeLinks } from './families/links/links.ts';
import { contextOf, judgePage } from './families/page.ts';
import { judgePhone, judgeValidity } from './families/phone.ts';
import { judgeRepeats } from './families/repeat.ts';
import { judgeLists } from './families/tenant.ts';
import { judgeTogether } from './families/together.ts';
import { WordingJudge } from './families/wording.ts';
import { Hits } from './hits.ts';
import { LearnedMatch, type LearningReader } from './learning/learned-match.ts';
import { hasLink } from './reading/fields.ts';
import { withoutLinks } from './reading/links-in-text.ts';
import { type LeadField, type LeadReading, readLead } from './reading/reading.ts';
import { TextScan } from './reading/scan.ts';
import type { LeadPrint, Sightings } from './repeat-memory.ts';
import { ruleIndex } from './rules.ts';
import type { Score } from './score.ts';
import type { CompiledScoring } from './settings/compile.ts';
import type { FieldKind } from './settings/field-kinds.ts';
import { noteTypedMessage, noteTypedName } from './typed/typed-test.ts';
import { conclude } from './verdict.ts';

/** What is known besides the lead itself. */
interface ScoringContext {
  readonly now: number;
  /** Of a lead that a web page sent; omitted or null for any other. Only then is what the SDK adds to a lead judged. */
  readonly page?: PageSignals | null | undefined;
  /** Compares the lead with earlier ones; omitted when a lead is only scored again. */
  readonly see?: (print: LeadPrint) => Sightings;
  /** Reads what the lead teaches, instead of what its form has learned. */
  readonly learning?: LearningReader;
  /** The mail server of a domain on no list, if it is known to belong to a disposable email service. */
  readonly mailServerOf?: ((domain: string) => string | null) | undefined;
}

export interface Scorer {
  score(lead: LeadFields, form: CompiledScoring, context: ScoringContext): Score;
}

const textWordsMin = 6;
/** These contain links by nature, or texts that the sender did not write. */
const unreadKinds: ReadonlySet<FieldKind> = new Set([
  'attribution',
  'utm_medium',
  'click_id',
  'referrer',
  'user_agent',
  'network_address',
  'consent',
]);

/** Created once: its buffers serve all leads in turn. The same lead always gets the same score. */
export function createScorer(data: ScoringData): Scorer {
  const scan = new TextScan();
  const wording = new WordingJudge();
  const hits = new Hits();
  const match = new LearnedMatch();
  /** Null for nearly all forms. */
  let learned: LearningReader | null = null;

  function judgeField(field: LeadField, reading: LeadReading): void {
    if (field.kind === 'email') judgeEmail(field, plain(field, reading), reading, hits, data);
    else if (field.kind === 'phone') judgePhone(field, plain(field, reading), reading, hits);
    else if (!unreadKinds.has(field.kind)) {
      scan.scan(field.value);
      judgeCharacters(field, scan, hits);
      collectLinks(field, scan, reading, hits);
      judgeScanned(field, reading);
    }
  }

  function judgeScanned(field: LeadField, reading: LeadReading): void {
    switch (field.kind) {
      case 'name':
      case 'first_name':
      case 'last_name':
        noteTypedName(field, scan, reading);
        judgeName(field, scan, reading, hits, data);
        break;
      case 'company':
        judgeCompany(field, scan, reading, hits, data);
        break;
      case 'message':
        noteTypedMessage(field, scan, reading, data);
        judgeText(field, scan, reading, hits, data);
        wording.judge(field, scan, reading, hits, data);
        judgeMessage(scan, hits);
        reading.noteMessage(field, scan);
        learned?.take(scan);
        break;
      case 'other':
      case 'subject':
        if (scan.wordCount < textWordsMin) break;
        judgeText(field, scan, reading, hits, data);
        wording.judge(field, scan, reading, hits, data);
        learned?.take(scan);
    }
  }

  /** The value without its links, which are scored separately. Addresses and numbers hardly ever contain one. */
  function plain(field: LeadField, reading: LeadReading): string {
    const { value } = field;
    if (!hasLink(value)) return value;
    scan.scan(value);
    collectLinks(field, scan, reading, hits);
    return withoutLinks(value, scan.links);
  }

  return {
    score(lead, form, { now, page = null, see, learning, mailServerOf }) {
      hits.begin(form);
      learned = learning ?? match.begin(form.learned);
      const reading = readLead(lead, form, page !== null);
      if (reading.readUpTo !== null) hits.add('LEAD_READ_IN_PART', null, reading.readUpTo);
      else if (!reading.isFilled) hits.add('LEAD_EMPTY');
      for (const field of reading.fields) judgeField(field, reading);
      if (mailServerOf !== undefined) judgeMailServer(reading, hits, mailServerOf);
      judgeTogether(reading, hits, data);
      judgeLinks(reading, hits, data);
      judgeMissing(lead, form, hits);
      judgeBehaviour(lead, form, reading, hits, now);
      if (page !== null) judgePage(lead, form, page, hits);
      if (see !== undefined) judgeRepeats(reading, form, see, hits);
      judgeLists(form, reading, hits);
      learned?.end(reading, hits, form);
      if (mayTip(hits.risk, form)) judgeValidity(reading, hits);
      judgeFit(form, reading, hits);
      const visit = page === null ? null : attributionOf({ [contextField]: contextOf(lead) });
      judgeOrigin(reading, visit, hits);
      return conclude(hits, form);
    },
  };
}

const phoneInvalid = ruleIndex('PHONE_INVALID');

/** Whether an impossible phone number would change the verdict; only then is the check worth its cost. */
function mayTip(risk: number, { points, suspect, spam }: CompiledScoring): boolean {
  const more = risk + (points[phoneInvalid] as number);
  return (risk < suspect && more >= suspect) || (risk < spam && more >= spam);
}

/** A missing field never rejects a lead; it only adds to the risk. */
function judgeMissing(lead: LeadFields, { required }: CompiledScoring, hits: Hits): void {
  for (const { key, label } of required) {
    const value = Object.hasOwn(lead, key) ? lead[key] : null;
    if (value === null || value === undefined || value === '') hits.add('FIELD_MISSING', key, label);
  }
}
