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
    'A POST, so that the token stands in no log of addresses. An invitation ends with the rights of whoever made it.',
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
    'Somebody who is signed in joins as they are, whatever address the link was made for. Otherwise an account is made for the email of the invitation, with `name` and `password`, and signed in.',
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
    'A person who creates a workspace owns it. Operators decide who may create one; a person can create or own ten.',
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
  description: 'For a person, the workspaces they belong to; for operators, all.',
  access: { by: 'signed_in' },
  query: workspaceListQuery,
  answer: page(workspacePage),
});

export const readWorkspace = call({
  method: 'get',
  path: '/workspaces/:workspace_id',
  tag: 'Workspaces',
  summary: 'Read a workspace',
  access: { by: 'member', operatorsToo: true },
  answer: json(200, workspace),
});

export const changeWorkspace = call({
  method: 'patch',
  path: '/workspaces/:workspace_id',
  tag: 'Workspaces',
  summary: 'Rename, suspend or resume a workspace',
  description:
    'Every submission to a suspended workspace is rejected. Owners rename; only operators suspend and resume.',
  access: { by: 'owner', operatorsToo: true },
  audited: ['name', 'status', 'reason'],
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
    'The last owner stays owner. Open invitations and links that somebody made as an owner end when they no longer are one.',
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
    'Takes effect with the next call, and ends the open invitations and links that the person made. The account stays. The last owner cannot be removed.',
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
    'The link works once, for seven days, and for as long as whoever made it is an owner; one made with the operator key is not bound to a person. With a mail server it goes by email only. Inviting the same address again makes a new link and ends the one before.',
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
    'Makes a new link, good for another seven days, and ends the one before. With a mail server it goes by email only.',
  access: { by: 'owner' },
  gives: 'secret',
  answer: json(200, createdInvitation),
  problems: ['too_many_requests'],
});

export const listInvitations = call({
  method: 'get',
  path: '/workspaces/:workspace_id/invitations',
  tag: 'People',
  summary: 'List open invitations',
  description: 'Those whose links work: not expired, and made by somebody who is still an owner.',
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
