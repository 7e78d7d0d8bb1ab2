/**
 * Notes about accepted submissions: an idempotency key that was reused with another body, and a lead that was stored
 * although its signature had been used before.
 */
export const diagnosticNoteKinds = ['idempotency_body_differs', 'signature_repeated'] as const;
export type DiagnosticNoteKind = (typeof diagnosticNoteKinds)[number];
