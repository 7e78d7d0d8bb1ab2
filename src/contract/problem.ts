import { z } from 'zod';

/** Every problem that a call can return: one row per code, ordered by status. */
export const problems = {
  bad_request: { status: 400, title: 'The request is not valid HTTP.' },
  invalid_json: { status: 400, title: 'The body is not JSON.' },
  unauthorized: { status: 401, title: 'Sign in or send a valid key.' },
  wrong_credentials: { status: 401, title: 'The email or password is wrong.' },
  forbidden: { status: 403, title: 'You are not allowed to do this.' },
  scope_missing: { status: 403, title: 'The API key lacks a scope.' },
  cross_site: { status: 403, title: 'The request did not come from a page of this service.' },
  password_needed: { status: 403, title: 'Confirm your password first.' },
  not_found: { status: 404, title: 'Not found.' },
  request_not_kept: { status: 404, title: 'The request was not kept.' },
  method_not_allowed: { status: 405, title: 'This URL does not support this method.' },
  last_owner: { status: 409, title: 'A workspace needs an owner.' },
  already_member: { status: 409, title: 'This person is already a member.' },
  sign_in_needed: { status: 409, title: 'This email has an account. Sign in first.' },
  quota_reached: { status: 409, title: 'The limit is reached.' },
  secret_unreadable: { status: 409, title: 'The webhook secret cannot be decrypted.' },
  slug_taken: { status: 409, title: 'The slug is not available.' },
  alias_not_available: { status: 409, title: 'The former slug cannot stay an alias.' },
  too_many_former_slugs: { status: 409, title: 'The workspace has too many former slugs.' },
  too_many_slug_changes: { status: 409, title: 'Too many slugs were changed or deleted today.' },
  token_ended: { status: 409, title: 'The token is revoked or expired.' },
  token_not_rotatable: { status: 409, title: 'The token cannot be rotated.' },
  not_storable: { status: 409, title: 'The lead cannot be stored.' },
  not_replayable: { status: 409, title: 'The delivery cannot be sent again.' },
  twin: { status: 409, title: 'There is an equal lead, or one with the same idempotency key.' },
  not_admissible: { status: 409, title: 'The request cannot become a lead.' },
  suspended: { status: 409, title: 'The workspace is suspended.' },
  unreadable: { status: 409, title: 'The request cannot be decrypted.' },
  decided: { status: 409, title: 'It was decided already.' },
  selection_changed: { status: 409, title: 'More leads match than you expected.' },
  action_conflict: { status: 409, title: 'The ID belongs to another action.' },
  not_undoable: { status: 409, title: 'The action cannot be undone.' },
  browser_disabled: { status: 409, title: 'The form accepts no leads from web pages.' },
  not_sorted: { status: 409, title: 'The leads are not sorted yet.' },
  version_conflict: { status: 409, title: 'Someone else saved a newer version.' },
  body_too_large: { status: 413, title: 'The body is too large.' },
  invalid_input: { status: 422, title: 'Invalid input.' },
  invalid_cursor: { status: 422, title: 'Invalid cursor.' },
  too_many_calls: { status: 429, title: 'Too many calls.' },
  too_many_in_progress: { status: 429, title: 'You have too many calls in progress.' },
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

export interface InputError {
  readonly field: string;
  readonly message: string;
}

/** What is wrong with an input, in words that need no knowledge of the schema. */
export function inputErrors(error: z.ZodError): InputError[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ field: fieldName(issue.path), message: issue.message }];
    return issue.keys.map((key) => ({ field: fieldName([...issue.path, key]), message: issue.message }));
  });
}

/** The error option of each parse. A message in the schema itself takes precedence. */
export function inputErrorMessage(issue: z.core.$ZodRawIssue): string | undefined {
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
