import type { InputError } from '../../contract/problem.ts';
import { type ProblemBody, type ProblemCode, problems } from '../../contract/problem.ts';

interface Extras {
  readonly errors?: InputError[];
  readonly suggestion?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown anywhere in this plane to end a call. The caller sees its text, so it never quotes an internal error. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extras: Extras;

  constructor(code: ProblemCode, detail: string, extras: Extras = {}) {
    super(detail);
    this.code = code;
    this.extras = extras;
  }

  /** RFC 9457. */
  toResponse(): Response {
    const { headers, ...members } = this.extras;
    const { status, title } = problems[this.code];
    const type = `urn:leadgate:problem:${this.code}`;
    const body: ProblemBody = { type, title, status, code: this.code, detail: this.message, ...members };
    return Response.json(body, {
      status,
      headers: { ...headers, 'content-type': 'application/problem+json' },
    });
  }
}

export function notFound(what: string): Problem {
  return new Problem('not_found', `There is no such ${what}.`);
}

export function invalidInput(errors: InputError[]): Problem {
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new Problem('invalid_input', `${detail}.`, { errors });
}

/** Owners can set a new secret; the operator may still have the key. */
export function unreadableSecret(): Problem {
  return new Problem(
    'secret_unreadable',
    'The webhook secret of this form was encrypted with a key that the service does not have, so every webhook is rejected. Set a new secret, or ask the operator to restore the key.',
  );
}
