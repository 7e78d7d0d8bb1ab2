import { enrichmentFields } from '../../domain/enrichment/fields.ts';
import { skipReasons } from '../../domain/enrichment/vocabulary.ts';

/** What the settings area needs to know of enrichment without the shapes themselves. */
export const mappableFields = enrichmentFields.map(({ path, text }) => ({ path, text }));
/** Why a provider is not asked, by its `why`. */
export const skipTexts: Readonly<Record<string, string>> = skipReasons;
export const dailyLimitDefault = 1_000;
export const dailyLimitMax = 1_000_000;
