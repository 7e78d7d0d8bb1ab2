import type { Hits } from '../hits.ts';
import type { LeadReading } from '../reading/reading.ts';
import type { LeadPrint, Sightings } from '../repeat-memory.ts';
import { printOf } from '../repeats/lead-print.ts';
import { likeTextsMax } from '../repeats/text-memory.ts';
import type { CompiledScoring } from '../settings/compile.ts';

const longMessageCharacters = 20;
/** From how many earlier copies of one person on there is a finding, and a flood. */
const copiesOf = {
  /** Worthless to the owner, who has the first one. */
  longMessage: { noticed: 1, flood: 2 },
  /** "Call me" may well be sent again. */
  shortMessage: { noticed: 2, flood: 4 },
  /** Perhaps another sign-up. */
  noMessage: { noticed: 4, flood: 19 },
} as const;
/** Without any name in it, a short lead may come from as many people: "Yes". */
const namelessFrom = 20;
const othersFrom = 4;
/** Honest messages about one subject are a little alike, short ones most, but seldom so many of them. */
const likeFrom = { short: 11, long: 8 } as const;
const longTextWords = 40;
/** A person may ask the same about several things. */
const ownFrom = 5;
const emailsPerHourMax = 10;
// An office or a trade fair may well send a few.
const networkFrom = 6;
const networkManyFrom = 25;

/** Compares the lead with earlier ones of its form, which `see` remembers. */
export function judgeRepeats(
  reading: LeadReading,
  { timing }: CompiledScoring,
  see: (print: LeadPrint) => Sightings,
  hits: Hits,
): void {
  const print = printOf(reading, timing?.renderedAtField);
  const sightings = see(print);
  if (print.sender !== 0) judgeCopies(sightings, reading, hits);
  else judgeNamelessCopies(sightings, print, reading, hits);
  if (print.sketch !== null) judgeTexts(sightings, reading.messagePrint, hits);
  const { sameEmail, sameNetwork } = sightings;
  if (sameEmail >= emailsPerHourMax) hits.add('REPEAT_EMAIL', null, String(sameEmail + 1));
  if (sameNetwork >= networkManyFrom) hits.add('REPEAT_NETWORK_MANY', null, String(sameNetwork));
  else if (sameNetwork >= networkFrom) hits.add('REPEAT_NETWORK', null, String(sameNetwork));
}

/** The same body has the same name and address, so one person sent it. */
function judgeCopies({ sameBody }: Sightings, { messageField, messagePrint }: LeadReading, hits: Hits): void {
  if (sameBody === 0) return;
  const isLong = messagePrint.characters >= longMessageCharacters;
  const message = isLong ? copiesOf.longMessage : copiesOf.shortMessage;
  const { noticed, flood } = messageField === null ? copiesOf.noMessage : message;
  if (sameBody >= flood) hits.add('REPEAT_FLOOD', null, String(sameBody + 1));
  else if (sameBody >= noticed) hits.add('REPEAT_BODY', null, String(sameBody + 1));
}

/** Nobody knows how many people sent it. */
function judgeNamelessCopies(
  { sameBody }: Sightings,
  { sketch }: LeadPrint,
  { messagePrint }: LeadReading,
  hits: Hits,
): void {
  const isLong = messagePrint.characters >= longMessageCharacters;
  // Even longer ones are compared as texts.
  if (isLong && sketch === null && sameBody >= othersFrom)
    hits.add('REPEAT_NEAR_FLOOD', null, String(sameBody));
  else if (sameBody >= (isLong ? copiesOf.longMessage.noticed : namelessFrom))
    hits.add('REPEAT_BODY', null, String(sameBody + 1));
}

/** Only long messages are compared with those of others. It makes none of them spam: the form may have filled them in. */
function judgeTexts(
  { sameText, nearText, likeText, ownText }: Sightings,
  { words }: LeadReading['messagePrint'],
  hits: Hits,
): void {
  const many = words < longTextWords ? likeFrom.short : likeFrom.long;
  if (nearText < othersFrom && likeText < many) {
    if (nearText > 0) hits.add('REPEAT_NEAR', null, counted(nearText));
  } else if (sameText * 2 >= likeText) hits.add('REPEAT_NEAR_FLOOD', null, counted(sameText));
  else hits.add('REPEAT_NEAR_MANY', null, counted(likeText));
  if (ownText >= ownFrom) hits.add('REPEAT_VARIED', null, counted(ownText + 1));
}

function counted(texts: number): string {
  return texts < likeTextsMax ? String(texts) : `${likeTextsMax} or more`;
}
