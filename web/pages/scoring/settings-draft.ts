import type { UseFormReturnType } from '@mantine/form';
import type { FormScoring } from '../../../src/contract/scoring.ts';

export type ScoringSettings = FormScoring['settings'];

/** The settings while they are edited; each card of the page edits a part of them. */
export interface SettingsDraft {
  readonly form: UseFormReturnType<ScoringSettings>;
}
