import type {
  DirectoryChanges,
  FormRow,
  SecretRow,
  TokenRow,
  WorkspaceRow,
} from '../../src/db/directory/directory.ts';

interface Numbered<Row> {
  readonly row: Row;
  readonly revision: number;
}

/** The tables that say who may send: each row has the revision of its last change. */
export class DirectoryRows {
  readonly #workspaces = new Map<string, Numbered<WorkspaceRow>>();
  readonly #forms = new Map<string, Numbered<FormRow>>();
  readonly #secrets = new Map<string, Numbered<SecretRow>>();
  readonly #tokens = new Map<string, Numbered<TokenRow>>();
  readonly #idRoot: Buffer;
  revision = 0;

  constructor(idRoot: Buffer) {
    this.#idRoot = idRoot;
  }

  setWorkspace(row: WorkspaceRow): void {
    this.#workspaces.set(row.id, { row, revision: ++this.revision });
  }

  setForm(row: FormRow): void {
    this.#forms.set(row.id, { row, revision: ++this.revision });
  }

  setSecret(row: SecretRow): void {
    this.#secrets.set(row.formId, { row, revision: ++this.revision });
  }

  setToken(row: TokenRow): void {
    this.#tokens.set(row.id, { row, revision: ++this.revision });
  }

  formIds(workspaceId: string): string[] {
    return [...this.#forms.values()].flatMap(({ row }) => (row.workspaceId === workspaceId ? row.id : []));
  }

  changesSince(since: number): DirectoryChanges {
    const newer = <Row>(rows: Map<string, Numbered<Row>>) =>
      [...rows.values()].filter(({ revision }) => revision > since).map(({ row }) => row);
    return {
      revision: this.revision,
      idRoot: this.#idRoot,
      workspaces: newer(this.#workspaces),
      forms: newer(this.#forms),
      secrets: newer(this.#secrets),
      tokens: newer(this.#tokens),
    };
  }
}
