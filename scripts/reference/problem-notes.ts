import type { ProblemCode } from '../../src/contract/problem.ts';

/** When a call gets each code, and what its caller can do. */
export const problemNotes: Partial<Record<ProblemCode, readonly [when: string, todo: string]>> = {
  bad_request: [
    'The request cannot be read as HTTP: a malformed line or header, or headers that are too large.',
    'Fix the client, or what stands between it and the service.',
  ],
  invalid_json: [
    'The body is not one JSON object in UTF-8.',
    'Send valid JSON. `detail` does not quote the body; check it with `jq`.',
  ],
  invalid_cursor: [
    'The `cursor` was not made by this list, or was cut.',
    'Take `next_cursor` of the page before as it is, and encode it in the URL. Or start again without one.',
  ],
  unauthorized: [
    'There is no session and no key, or the `Authorization` header holds a wrong key. That is checked first, on public calls too.',
    'Sign in again, or send `Authorization: Bearer <operator key>`. On public calls leave the header out.',
  ],
  wrong_credentials: [
    'No account has this email with this password.',
    'Check both, or ask for a link to a [new password](accounts.md#a-forgotten-password).',
  ],
  forbidden: [
    'You are known, but your role does not allow this.',
    'Ask an owner of the workspace or an operator; `detail` says which. See [roles](accounts.md#roles).',
  ],
  cross_site: [
    'A call with a session, or a public one, that does not come from a page of this service.',
    'Programs use the operator key. In a browser behind a proxy, set `PUBLIC_URL` to the address that people use.',
  ],
  not_found: [
    'Nothing has this id or address, or you may not know about it.',
    'Check the id and the workspace. What belongs to another workspace is answered like this too.',
  ],
  request_not_kept: [
    'The signature debugger was asked about a rejection of which nothing is kept, or no longer.',
    'Paste the request itself. See [what is kept](signature-debugger.md#what-is-kept-of-rejected-requests).',
  ],
  method_not_allowed: [
    'The address exists, but not for this method.',
    'Use one of the methods in the `Allow` header.',
  ],
  last_owner: [
    'The change would leave the workspace without an owner.',
    'Make somebody else an owner first.',
  ],
  already_member: [
    'An invitation for somebody who is a member already.',
    'To change what they may do, change their role.',
  ],
  sign_in_needed: [
    'An invitation was accepted without a session, but its email has an account.',
    'Sign in with that account, then open the link again.',
  ],
  quota_reached: [
    'The person or workspace has as many workspaces, forms, tokens or people as a [quota](limits.md#quotas) allows.',
    'Remove what is no longer used, or ask an operator; `detail` says which. The operator key has no quotas.',
  ],
  secret_unreadable: [
    'The webhook secret of the form was sealed with an encryption key that the service does not have.',
    'Bring that key back as `ENCRYPTION_KEY_PREVIOUS`, or set the secret anew. See [rotating the encryption key](operating.md#rotating-the-encryption-key).',
  ],
  slug_taken: ['The slug cannot be used.', 'Choose another; `suggestion` is available.'],
  too_many_former_slugs: [
    'The workspace holds 200 slugs that its forms have given up.',
    'Use one of them again, or ask an operator to release some. See [limits](limits.md#slugs).',
  ],
  too_many_slug_changes: [
    'The workspace gave up 20 slugs today.',
    'Go on after midnight UTC. See [limits](limits.md#slugs).',
  ],
  token_not_rotatable: [
    'The token is revoked, has expired, or was rotated already.',
    'Rotate its successor, or create a token.',
  ],
  version_conflict: [
    'Somebody saved newer scoring settings since you read them.',
    'Read them again, apply your change to them, and save with the new version.',
  ],
  body_too_large: [
    'The body has more than 1,000,000 bytes, or more than 10,000 members and entries.',
    'Send less at once.',
  ],
  invalid_input: [
    'A value of the body or the query is wrong, is missing, or has an unknown name. Unknown query keys count, on every call.',
    '`errors` lists each `field` with a `message`. Fix them all, then repeat.',
  ],
  not_storable: [
    'PostgreSQL still does not take this lead of the [quarantine](operating.md#quarantine), or an entry of this kind can only be discarded.',
    '`detail` says why. Remove the cause and store it again, or discard it.',
  ],
  too_many_calls: ['A costly call was made too often in a minute.', 'Wait for the seconds in `Retry-After`.'],
  too_many_in_progress: [
    'You have four such calls in progress, and this one waited for 5 seconds.',
    'Nothing was done: wait for the seconds in `Retry-After` and repeat. Read lists one page after the other.',
  ],
  too_many_requests: [
    'Too many attempts to sign in or to use a link.',
    'Wait for the seconds in `Retry-After`. Behind a proxy, set `TRUST_PROXY`.',
  ],
  internal: [
    'An error on our side. It is in the log of the service.',
    'Repeat the call once. Give the `X-Request-Id` of the answer to your operator, who finds it in the log as `request_id`.',
  ],
  unavailable: [
    'PostgreSQL does not answer, or not in time. Leads are taken all the same.',
    'Repeat in a moment. Operators: see [when PostgreSQL is down](operating.md#when-postgresql-is-down).',
  ],
};
