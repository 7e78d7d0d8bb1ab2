import {
  destinationDefaults,
  destinationLimits,
  eventTexts,
  subscribableEvents,
} from '../../domain/destination/destination.ts';

/** What the settings area needs of destinations, without the schemas. */
export const subscribable = subscribableEvents.map((type) => ({ type, text: eventTexts[type] }));
export const newDestinationDefaults = destinationDefaults;
export const {
  conditions: conditionsMax,
  mappingRows: mappingRowsMax,
  ownHeaders: ownHeadersMax,
  nameCharacters: nameCharactersMax,
  waitSeconds: waitSecondsMax,
  perSecondMin,
  perSecondMax,
} = destinationLimits;
