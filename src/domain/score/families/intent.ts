import { type Attribution, clickIds } from '../../lead/attribution.ts';
import type { Hits } from '../hits.ts';
import type { LeadReading } from '../reading/reading.ts';
import type { TextScan } from '../reading/scan.ts';
import { intentWords } from '../tables/business-words.ts';

const usefulLengthMin = 40;
const usefulLengthMax = 1_500;
const wordsMax = 200;
const paidMedium = /^(?:cpc|ppc|cpm|cpa|cpv|paid.*|paidsearch|paidsocial|display|banner|retargeting|sem)$/i;

/** A message that was just scanned. */
export function judgeMessage(scan: TextScan, hits: Hits): void {
  if (hits.has('TEXT_GIBBERISH')) return;
  const { length } = scan;
  if (length >= usefulLengthMin && length <= usefulLengthMax) hits.addOnce('INTENT_MESSAGE');
  const wants = wantsOf(scan);
  if ((wants & 1) !== 0) hits.addOnce('INTENT_WORDS');
  if ((wants & 2) !== 0) hits.addOnce('INTENT_ELSEWHERE');
  if (scan.digits > 0) hits.addOnce('INTENT_NUMBERS');
  if (asks(scan)) hits.addOnce('INTENT_QUESTION');
}

/** Also in a link, in other scripts, and in what is not scanned of a long text. Most texts have none of these. */
function asks({ text, length, questions, linkCount, hasWide }: TextScan): boolean {
  if (questions > 0) return true;
  if (linkCount === 0 && !hasWide && text.length === length) return false;
  return text.includes('?') || text.includes('？') || text.includes('؟');
}

function wantsOf({ wordHashes, wordCount }: TextScan): number {
  const words = intentWords.candidates(wordHashes, Math.min(wordCount, wordsMax));
  let wants = 0;
  for (let place = 0; place < intentWords.candidateCount; place++)
    wants |= intentWords.get(wordHashes[words[place] as number] as number);
  return wants;
}

/** Where the lead came from. `visit` is what a web page says about it beside the fields that were read. */
export function judgeOrigin(reading: LeadReading, visit: Attribution | null, hits: Hits): void {
  const medium = reading.first('utm_medium')?.value ?? visit?.get('utm_medium') ?? '';
  const isClick = reading.first('click_id') !== null || clickIds.some((id) => visit?.has(id));
  if (isClick || (medium.length <= 24 && paidMedium.test(medium))) hits.add('INTENT_PAID_CLICK');
  const referrer = reading.first('referrer')?.value ?? visit?.get('referrer') ?? '';
  if (/pric(?:e|ing)|preis|tarif|precio|plans/i.test(referrer.slice(0, 300))) hits.add('INTENT_PRICING_PAGE');
}
