import type { ProblemCode } from '../../src/contract/problem.ts';

/** When a call returns each code, and what its caller can do. */
export const problemNotes: Partial<Record<ProblemCode, readonly [when: string, todo: string]>> = {
  bad_request: [
    'The request cannot be read as HTTP: a malformed line or header, or headers that are too large.',
    'Fix the client, or the proxy between it and the service.',
  ],
  invalid_json: [
    'The body is not one JSON object in UTF-8.',
    'Send valid JSON. `detail` does not quote the body; check it with `jq`.',
  ],
  invalid_cursor: [
    'The `cursor` does not come from this list, or is incomplete.',
    'Use `next_cursor` of the previous page unchanged, and encode it in the URL. Or start again without a cursor.',
  ],
  unauthorized: [
    'There is no session and no key, or the `Authorization` header has a wrong key. The key is checked first, even on public calls.',
    'Sign in again, or send `Authorization: Bearer <key>` with an [API key](api-keys.md) or the operator key. `detail` says whether an API key was revoked or has expired. On public calls, leave out the header.',
  ],
  wrong_credentials: [
    'No account has this email with this password.',
    'Check both, or [reset the password](accounts.md#a-forgotten-password).',
  ],
  forbidden: [
    'You are signed in, but your role does not allow this. Or the call is closed to [API keys](api-keys.md#endpoints).',
    'Ask an owner of the workspace or an operator; `detail` says which. See [roles](accounts.md#roles).',
  ],
  scope_missing: [
    'The [API key](api-keys.md) does not have a scope that the call needs.',
    'Create a key that has the scope in `detail`. The scopes of a key cannot be changed.',
  ],
  cross_site: [
    'A call with a session, or a public call, does not come from a page of this service.',
    'Programs use an [API key](api-keys.md). In a browser behind a proxy, set `PUBLIC_URL` to the URL that people use.',
  ],
  password_needed: [
    'The call shows or replaces a secret, and the password was last entered in this session more than 10 minutes ago.',
    'Call `POST /api/v1/me/password-check` with the password, then repeat the call. Callers with a key are not asked. See [confirming the password](accounts.md#confirming-the-password).',
  ],
  not_found: [
    'Nothing has this ID or URL, or you have no access to it.',
    'Check the ID and the workspace. Resources of other workspaces also get this code.',
  ],
  request_not_kept: [
    'You asked the signature debugger about a rejection whose request was not kept, or is no longer kept.',
    'Paste the request. See [what is kept](signature-debugger.md#what-is-kept-of-rejected-requests).',
  ],
  method_not_allowed: [
    'The URL exists, but does not support this method.',
    'Use one of the methods in the `Allow` header.',
  ],
  last_owner: ['The change would leave the workspace without an owner.', 'Make someone else an owner first.'],
  already_member: [
    'You invited someone who is already a member.',
    'To change what they can do, change their role.',
  ],
  sign_in_needed: [
    'An invitation was accepted without a session, but its email has an account.',
    'Sign in with that account, then open the link again.',
  ],
  quota_reached: [
    'The person, workspace or token has reached a [quota](limits.md#quotas): of workspaces, forms, tokens, API keys, saved views, people or destinations, of open hand-over links, or of actions in progress.',
    'Remove what you no longer use, wait until a link is opened or an action is finished, or ask an operator; `detail` says which.',
  ],
  secret_unreadable: [
    'The webhook secret of the form was encrypted with a key that the service does not have.',
    'Restore that key as `ENCRYPTION_KEY_PREVIOUS`, or set a new secret. See [rotating the encryption key](operating.md#rotating-the-encryption-key).',
  ],
  browser_disabled: [
    'The form accepts no leads from web pages, or is inactive.',
    'Turn on *Web page* in its Delivery settings, or activate the form.',
  ],
  slug_taken: ['The slug is not available.', 'Choose another; `suggestion` is available.'],
  alias_not_available: [
    'Another workspace also uses or used the slug, so it cannot stay an alias.',
    'Change the slug without `keep_former_slug`, after you have changed the URL at your senders.',
  ],
  too_many_former_slugs: [
    'The workspace has 200 former slugs.',
    'Use one of them again, or ask an operator to release some. See [limits](limits.md#slugs).',
  ],
  too_many_slug_changes: [
    'The workspace freed 20 slugs today, by changing them or deleting forms.',
    'Continue after midnight UTC. See [limits](limits.md#slugs).',
  ],
  token_ended: [
    'The token is revoked or expired, so there is nothing to hand over.',
    'Create a token, or rotate one, and hand over the new one.',
  ],
  token_not_rotatable: [
    'The token is revoked or expired, or was already rotated.',
    'Rotate its replacement, or create a token.',
  ],
  not_replayable: [
    'The lead of the delivery was erased, or its destination was deleted.',
    'Nothing is left to send, or nowhere to send it.',
  ],
  version_conflict: [
    'Someone saved newer scoring settings, or changed the destination or saved view, after you read it.',
    'Read it again, apply your change, and save with the new version.',
  ],
  body_too_large: [
    'The body has more than 1,000,000 bytes, or more than 10,000 members and entries.',
    'Send a smaller body.',
  ],
  invalid_input: [
    'A value in the body or query is wrong, missing or has an unknown name. Every call refuses unknown query parameters.',
    '`errors` lists each `field` with a `message`. Fix all of them, then try again.',
  ],
  not_storable: [
    'PostgreSQL still refuses this [quarantined](operating.md#quarantine) lead, or it can only be discarded.',
    '`detail` says why. Fix the cause and store the lead again, or discard it.',
  ],
  twin: [
    'A lead has the idempotency key or the bytes of this [held submission](held.md#twins).',
    'Look at that lead, `twin_of`. If they only have the same bytes, `exclude_twins: false` admits it anyway.',
  ],
  not_admissible: [
    'This [held submission](held.md#what-is-kept) is not a lead, its sender is not authenticated, or its form was deleted.',
    'Read its body. If its signature should match, set the right webhook secret.',
  ],
  suspended: [
    'Nothing can be admitted while the workspace is suspended.',
    'Ask the operator to resume the workspace.',
  ],
  unreadable: [
    'The held submission was encrypted with a key that the service no longer has.',
    'Ask the operator to add that key to `ENCRYPTION_KEY_PREVIOUS`, or discard it.',
  ],
  decided: [
    'The held submission was admitted or discarded, or the lead that it became was erased.',
    'Nothing to do. Reload the list.',
  ],
  selection_changed: [
    'More leads match the filter than `expected_count`, so that leads which you have not seen would be marked or erased.',
    'Count again, look at what is new, and send the new number.',
  ],
  action_conflict: [
    'An action with this `id` exists, and it does something else.',
    'Choose a new `id` for a new action.',
  ],
  not_undoable: ['Only marks can be undone, for 24 hours after the action ended.', 'Mark the leads again.'],
  not_sorted: [
    'A sorted export was asked for, but too many leads of the workspace are not in the [index](decisions/0036-an-index-in-blocks.md) yet, so it would not be complete.',
    'Try again after the seconds in `Retry-After`, set `to` to an earlier time, or leave out `sort`. `preparing` of the list says how far the index is.',
  ],
  too_many_calls: [
    'An API key made more than 600 calls in a minute, or an expensive call was made too often.',
    'Wait for the seconds in `Retry-After`.',
  ],
  too_many_in_progress: [
    'You have four such calls in progress, and this one waited for 5 seconds.',
    'Nothing was done: wait for the seconds in `Retry-After`, then try again. Read lists one page at a time.',
  ],
  too_many_requests: [
    'Too many attempts to sign in or to use a link.',
    'Wait for the seconds in `Retry-After`. Behind a proxy, set `TRUST_PROXY`.',
  ],
  internal: [
    'An error in the service. It is in the service log.',
    'Try again once. If it fails again, give the `X-Request-Id` of the response to your operator; it is in the log as `request_id`.',
  ],
  unavailable: [
    'PostgreSQL is unavailable or too slow. Leads are still accepted.',
    'Try again in a moment. Operators: see [when PostgreSQL is down](operating.md#when-postgresql-is-down).',
  ],
};
