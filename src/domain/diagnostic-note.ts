/**
 * What is noted about accepted submissions: a key that came again with another body, and a lead that was stored although
 * its signature had come before.
 */
export const diagnosticNoteKinds = ['idempotency_body_differs', 'signature_repeated'] as const;
export type DiagnosticNoteKind = (typeof diagnosticNoteKinds)[number];
