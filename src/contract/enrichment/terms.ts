import { enrichmentFields } from '../../domain/enrichment/fields.ts';
import { skipReasons } from '../../domain/enrichment/vocabulary.ts';

/** What the settings area needs of enrichment, without the schemas. */
export const mappableFields = enrichmentFields.map(({ path, text }) => ({ path, text }));
/** Why a provider was skipped, keyed by `why`. */
export const skipTexts: Readonly<Record<string, string>> = skipReasons;
export const dailyLimitDefault = 1_000;
export const dailyLimitMax = 1_000_000;
