import type { EnrichmentStatus, Method, Phase, ProviderOutcome } from './vocabulary.ts';

/** Where a value comes from. Without `observed_at` it was found when the lead was enriched. */
export interface Provenance {
  readonly provider: string;
  readonly method: Method;
  readonly confidence: number;
  readonly source?: string;
  readonly observed_at?: string;
  /** Values of other providers, most trusted first. */
  readonly alternatives?: Alternative[];
}

export interface Alternative {
  readonly value: unknown;
  readonly provider: string;
  readonly method: Method;
  readonly confidence: number;
}

export interface ProviderReport {
  readonly id: string;
  readonly phase: Phase;
  readonly version: number | null;
  readonly outcome: ProviderOutcome;
  readonly why?: string;
  readonly attempts?: number;
  readonly ms?: number;
  readonly cached?: boolean;
}

/** Stored with a lead and shown by the API. */
export interface EnrichmentView {
  readonly schema: 1;
  readonly status: EnrichmentStatus;
  readonly company?: object;
  readonly person?: object;
  readonly email?: object;
  readonly phone?: object;
  readonly attribution?: object;
  readonly provenance: Record<string, Provenance>;
  readonly providers: ProviderReport[];
}
