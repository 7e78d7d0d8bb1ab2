import { call, json, none, page } from './call.ts';
import {
  createdInvitation,
  invitationAcceptance,
  invitationListQuery,
  invitationPage,
  invitationPreview,
  invitationToken,
  joined,
  member,
  memberChanges,
  memberListQuery,
  memberPage,
  newInvitation,
} from './workspaces/member.ts';
import {
  newWorkspace,
  workspace,
  workspaceChanges,
  workspaceListQuery,
  workspacePage,
} from './workspaces/workspace.ts';

export const readInvitation = call({
  method: 'post',
  path: '/invitations/preview',
  tag: 'Account',
  summary: 'Read an invitation',
  description:
    'It is a POST so that the token does not end up in URL logs. An invitation ends when its creator loses their permissions.',
  access: { by: 'public' },
  audit: 'reads',
  body: invitationToken,
  answer: json(200, invitationPreview),
  problems: ['not_found'],
});

export const acceptInvitation = call({
  method: 'post',
  path: '/invitations/accept',
  tag: 'Account',
  summary: 'Accept an invitation',
  description:
    'If you are signed in, you join with your account, whatever email address was invited. Otherwise, an account is created for the invited email address with `name` and `password`, and signed in.',
  access: { by: 'public' },
  audit: 'itself',
  body: invitationAcceptance,
  answer: json(200, joined),
  problems: ['not_found', 'sign_in_needed', 'quota_reached', 'too_many_requests'],
});

export const createWorkspace = call({
  method: 'post',
  path: '/workspaces',
  tag: 'Workspaces',
  summary: 'Create a workspace',
  description:
    'You own the workspaces that you create. Operators decide who can create them; a person can create or own ten.',
  access: { by: 'signed_in' },
  audit: 'itself',
  body: newWorkspace,
  answer: json(201, workspace),
  problems: ['forbidden', 'quota_reached'],
});

export const listWorkspaces = call({
  method: 'get',
  path: '/workspaces',
  tag: 'Workspaces',
  summary: 'List workspaces',
  description: 'People see the workspaces they belong to; operators see all.',
  access: { by: 'signed_in', scope: 'any' },
  expensive: 'call',
  query: workspaceListQuery,
  answer: page(workspacePage),
});

export const readWorkspace = call({
  method: 'get',
  path: '/workspaces/:workspace_id',
  tag: 'Workspaces',
  summary: 'Read a workspace',
  access: { by: 'member', scope: 'any', operatorsToo: true },
  answer: json(200, workspace),
});

export const changeWorkspace = call({
  method: 'patch',
  path: '/workspaces/:workspace_id',
  tag: 'Workspaces',
  summary: 'Rename, suspend or resume a workspace',
  description:
    'While a workspace is suspended, every submission is rejected, deliveries wait, web pages get no tokens, and held submissions cannot be admitted. Reading, exporting and settings keep working, and rejected submissions of authenticated senders are held as usual. Owners can rename it and set `held_days`; only operators can suspend and resume it.',
  access: { by: 'owner', operatorsToo: true },
  audited: ['name', 'status', 'reason', 'held_days'],
  body: workspaceChanges,
  answer: json(200, workspace),
});

export const listMembers = call({
  method: 'get',
  path: '/workspaces/:workspace_id/members',
  tag: 'People',
  summary: 'List the people of a workspace',
  access: { by: 'owner' },
  query: memberListQuery,
  answer: page(memberPage),
});

export const changeMember = call({
  method: 'patch',
  path: '/workspaces/:workspace_id/members/:person_id',
  tag: 'People',
  summary: "Change a person's role",
  description:
    'You cannot change the role of the last owner. Open invitations and links that a person created as an owner end when they stop being one.',
  access: { by: 'owner' },
  audited: ['role'],
  body: memberChanges,
  answer: json(200, member),
  problems: ['last_owner'],
});

export const removeMember = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/members/:person_id',
  tag: 'People',
  summary: 'Remove a person from a workspace',
  description:
    'Takes effect with their next call, and ends the open invitations and links that they created. Their account stays. You cannot remove the last owner.',
  access: { by: 'owner' },
  answer: none,
  problems: ['last_owner'],
});

export const invitePerson = call({
  method: 'post',
  path: '/workspaces/:workspace_id/invitations',
  tag: 'People',
  summary: 'Invite a person',
  description:
    'The link works once, for seven days, while its creator stays an owner; a link created with the operator key does not depend on a person. With a mail server, it is only sent by email. Inviting the same email address again creates a new link and ends the previous one.',
  access: { by: 'owner' },
  gives: 'secret',
  audited: ['email', 'role'],
  body: newInvitation,
  answer: json(201, createdInvitation),
  problems: ['already_member', 'quota_reached', 'too_many_requests'],
});

export const sendInvitationAgain = call({
  method: 'post',
  path: '/workspaces/:workspace_id/invitations/:invitation_id/send',
  tag: 'People',
  summary: 'Send an invitation again',
  description:
    'Creates a new link that works for seven days, and ends the previous one. With a mail server, it is only sent by email.',
  access: { by: 'owner' },
  gives: 'secret',
  answer: json(200, createdInvitation),
  problems: ['already_member', 'quota_reached', 'too_many_requests'],
});

export const listInvitations = call({
  method: 'get',
  path: '/workspaces/:workspace_id/invitations',
  tag: 'People',
  operation: 'listOpenInvitations',
  summary: 'List invitations',
  description:
    'Invitations that nobody has accepted, by people who are still owners. Expired ones are listed for 30 days, to send them again.',
  access: { by: 'owner' },
  query: invitationListQuery,
  answer: page(invitationPage),
});

export const withdrawInvitation = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/invitations/:invitation_id',
  tag: 'People',
  summary: 'Withdraw an invitation',
  access: { by: 'owner' },
  answer: none,
});
