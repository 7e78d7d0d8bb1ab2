import type { FormFacts, LeadFacts } from './lead-facts.ts';

export interface SampleOptions {
  readonly workspaceId: string;
  /** A new one for each test, so that receivers do not take the second test for a retry of the first. */
  readonly submissionId: string;
  /** Null if the destination is for all forms and there are none. */
  readonly form: FormFacts | null;
  readonly at: Date;
}

/** What a test sends: a lead that never was, and says so. Its phone number and domain are reserved for examples. */
export function sampleLead({ workspaceId, submissionId, form, at }: SampleOptions): LeadFacts {
  return {
    workspaceId,
    submissionId,
    formId: form?.id ?? null,
    form,
    receivedAt: at,
    surface: 'server',
    verdict: 'clean',
    score: 72,
    grade: 'B',
    fields: JSON.stringify({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '+1 202 555 0100',
      company: 'Analytical Engines',
      message: 'This is a test. Nobody submitted this lead.',
      utm_source: 'leadgate',
      utm_medium: 'test',
    }),
    enrichment: JSON.stringify({
      schema: 1,
      status: 'builtin_only',
      company: { name: 'Analytical Engines', domain: 'example.com' },
      person: { first_name: 'Ada', last_name: 'Lovelace' },
      email: { domain: 'example.com' },
      phone: { e164: '+12025550100', country: 'US' },
      attribution: { source: 'leadgate', medium: 'test' },
      provenance: {},
      providers: [],
    }),
    isEnriched: true,
    reasons: '[]',
    isTest: true,
  };
}
