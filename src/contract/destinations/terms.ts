import {
  type DestinationKind,
  destinationDefaults,
  destinationLimits,
  eventTexts,
} from '../../domain/destination/destination.ts';
import { automaticDigests } from '../../domain/destination/kind/digest.ts';
import { chatServices, kindEvents } from '../../domain/destination/kind/kind-settings.ts';

export { openLeadText, reasonText } from '../../domain/destination/message/words.ts';

/** What the settings area needs of destinations, without the schemas. */
export const subscribable = (kind: DestinationKind) =>
  kindEvents[kind].map((type) => ({ type, text: eventTexts[type] }));
export const chatServiceIds = chatServices;
/** Above this many leads an hour, an email has several. */
export const emailsPerHourMax = automaticDigests.email?.leads ?? 0;
/** Above this many leads a minute, a message to a chat has several. */
export const messagesPerMinuteMax = automaticDigests.chat?.leads ?? 0;
export const newDestinationDefaults = destinationDefaults;
export const {
  conditions: conditionsMax,
  mappingRows: mappingRowsMax,
  ownHeaders: ownHeadersMax,
  recipients: recipientsMax,
  nameCharacters: nameCharactersMax,
  waitSeconds: waitSecondsMax,
  perSecondMin,
  perSecondMax,
} = destinationLimits;
