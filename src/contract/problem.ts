import { z } from 'zod';

/** Everything that can go wrong with a call: one row per code, in the order of its status. */
export const problems = {
  invalid_json: { status: 400, title: 'The body is not JSON.' },
  invalid_cursor: { status: 400, title: 'The cursor is not one of ours.' },
  unauthorized: { status: 401, title: 'A valid key is needed.' },
  forbidden: { status: 403, title: 'This is for the operator only.' },
  not_found: { status: 404, title: 'There is nothing here.' },
  method_not_allowed: { status: 405, title: 'This address does not take this method.' },
  slug_taken: { status: 409, title: 'The slug is taken.' },
  version_conflict: { status: 409, title: 'Somebody else saved a newer version.' },
  body_too_large: { status: 413, title: 'The body is too large.' },
  invalid_input: { status: 422, title: 'The input has faults.' },
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
    suggestion: z.string().optional().describe('With `slug_taken`: a slug that is free.'),
  })
  .meta({ id: 'Problem' });

export type ProblemBody = z.output<typeof problemBody>;
