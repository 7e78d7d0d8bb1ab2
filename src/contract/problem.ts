import { z } from 'zod';

/** Everything that can go wrong with a call: one row per code, in the order of its status. */
export const problems = {
  bad_request: { status: 400, title: 'The request is not valid HTTP.' },
  invalid_json: { status: 400, title: 'The body is not JSON.' },
  unauthorized: { status: 401, title: 'A session or a valid key is needed.' },
  wrong_credentials: { status: 401, title: 'The email or the password is wrong.' },
  forbidden: { status: 403, title: 'This is not for you.' },
  cross_site: { status: 403, title: 'The call did not come from a page of this service.' },
  not_found: { status: 404, title: 'There is nothing here.' },
  request_not_kept: { status: 404, title: 'Nothing of this request was kept.' },
  method_not_allowed: { status: 405, title: 'This address does not take this method.' },
  last_owner: { status: 409, title: 'A workspace needs an owner.' },
  already_member: { status: 409, title: 'This person is a member already.' },
  sign_in_needed: { status: 409, title: 'The email has an account. Sign in first.' },
  quota_reached: { status: 409, title: 'There are as many as there may be.' },
  secret_unreadable: { status: 409, title: 'The webhook secret cannot be decrypted.' },
  slug_taken: { status: 409, title: 'The slug is not available.' },
  too_many_former_slugs: { status: 409, title: 'The workspace has too many former slugs.' },
  too_many_slug_changes: { status: 409, title: 'Too many slugs were given up today.' },
  token_not_rotatable: { status: 409, title: 'The token cannot be rotated.' },
  not_storable: { status: 409, title: 'The lead cannot be stored.' },
  version_conflict: { status: 409, title: 'Somebody else saved a newer version.' },
  body_too_large: { status: 413, title: 'The body is too large.' },
  invalid_input: { status: 422, title: 'The input has faults.' },
  invalid_cursor: { status: 422, title: 'The cursor is not one of ours.' },
  too_many_calls: { status: 429, title: 'This was called too often.' },
  too_many_in_progress: { status: 429, title: 'Too many of your calls are in progress.' },
  too_many_requests: { status: 429, title: 'Too many attempts.' },
  internal: { status: 500, title: 'Something went wrong on our side.' },
  unavailable: { status: 503, title: 'The service cannot do this right now.' },
} as const;

export type ProblemCode = keyof typeof problems;

const codes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

export const problemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(codes),
    detail: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
    suggestion: z.string().optional().describe('With `slug_taken`: a slug that is available.'),
  })
  .meta({ id: 'Problem' });

export type ProblemBody = z.output<typeof problemBody>;

export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** What is wrong with an input, one entry per fault, in words that need no knowledge of the schema. */
export function faultsOf(error: z.ZodError): Fault[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ field: fieldName(issue.path), message: issue.message }];
    return issue.keys.map((key) => ({ field: fieldName([...issue.path, key]), message: issue.message }));
  });
}

/** Given to each parse. A message that the schema itself states wins over these. */
export function faultMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `use one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must ${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must ${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`;
    default:
      return undefined;
  }
}

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
};

function measure(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

/** `fields[2].key`; the input as a whole is called `input`. */
function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name === '' ? 'input' : name.replace(/^\./, '');
}
