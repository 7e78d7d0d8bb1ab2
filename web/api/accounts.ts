/** The answers about people. Their endpoints are not part of the contract folder. */
export type Role = 'owner' | 'member';

export interface Me {
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly operator: boolean;
  };
  readonly workspaces: readonly WorkspaceOfMine[];
}

export interface WorkspaceOfMine {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly role: Role | null;
}

export interface Session {
  readonly id: string;
  readonly token: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ipAddress?: string | null;
  readonly userAgent?: string | null;
}

export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joined_at: string;
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: string;
}

export interface CreatedInvitation extends Invitation {
  readonly link: string;
  readonly mail: 'sent' | 'failed' | 'off';
}

export interface InvitationPreview {
  readonly workspace_name: string;
  readonly email: string;
  readonly role: Role;
  readonly needs_account: boolean;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly name: string };
  readonly action: string;
  readonly target: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly outcome: string;
}

/** Why and since when a workspace is suspended. */
export interface Suspension {
  readonly since: string;
  readonly reason: string | null;
}

export interface List<Item> {
  readonly items: readonly Item[];
  readonly next_cursor?: string | null;
}
