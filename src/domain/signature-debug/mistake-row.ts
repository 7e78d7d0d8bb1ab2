/** The step of signing with the mistake: it decides which lines of code the fix shows. */
export type SigningStep = 'headers' | 'timestamp' | 'body' | 'secret' | 'message' | 'digest' | 'signature';

export interface MistakeRow {
  readonly step: SigningStep;
  readonly title: string;
  readonly found: string;
  readonly fix: string;
}
