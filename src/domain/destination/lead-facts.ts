import type { JsonText } from '../json/json-text.ts';
import type { Grade, Verdict } from '../score/score.ts';
import type { Surface } from '../surface.ts';
import type { EventType } from './destination.ts';

/** What filter, mapping and payload read of a lead. Its attribution is read from the fields. */
export interface LeadFacts {
  readonly workspaceId: string;
  readonly submissionId: string;
  /** Also of a form that was deleted. Null only for the sample of a workspace without forms. */
  readonly formId: string | null;
  /** Null if the form was deleted. */
  readonly form: FormFacts | null;
  readonly receivedAt: Date;
  readonly surface: Surface;
  /** The verdict in effect: the mark if there is one. */
  readonly verdict: Verdict;
  readonly score: number;
  readonly grade: Grade;
  /** An object. */
  readonly fields: JsonText;
  /** The view that the API shows; null until the lead is enriched. */
  readonly enrichment: JsonText | null;
  /** False while the first enrichment may still come, so that conditions on it cannot be checked yet. */
  readonly isEnriched: boolean;
  /** A list: what the risk is made of. */
  readonly reasons: JsonText;
  /** True for the sample of a test. */
  readonly isTest: boolean;
}

export interface FormFacts {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export interface EventFacts {
  readonly workspaceId: string;
  /** Its place in the feed of its workspace. */
  readonly number: number;
  readonly type: EventType;
  readonly at: Date;
  /** Null if the event is not about a lead. */
  readonly submissionId: string | null;
}
