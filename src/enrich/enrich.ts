import { recogniseFields } from '../domain/score/fields.ts';
import { emailFacts } from './providers/email.ts';
import { phoneFacts } from './providers/phone.ts';

/** What can be learnt from the lead alone, without the network. What the person typed is never changed. */
export function enrichBuiltin(fields: Record<string, unknown>): object {
  const recognised = recogniseFields(fields);
  const firstOf = (kind: string) => recognised.find((field) => field.kind === kind)?.value;
  return {
    schema: 1,
    status: 'builtin_only',
    email: emailFacts(firstOf('email')),
    phone: phoneFacts(firstOf('phone')),
  };
}
