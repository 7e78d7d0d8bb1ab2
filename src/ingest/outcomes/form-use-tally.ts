import type { FormUse } from '../../db/forms/form-uses.ts';
import type { FormEntry } from '../directory/directory.ts';

/** The times of the last lead, and of the last request whose signature matched the current secret; 0 for none. */
interface Use {
  readonly form: FormEntry;
  leadAt: number;
  verifiedAt: number;
}

/** When forms, and aliases of their former slugs, were last used. */
export class FormUseTally {
  readonly #forms = new Map<FormEntry, Use>();
  readonly #aliases = new Map<string, Use>();

  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  /** `alias` is the former slug that the request came by, if it did. */
  leadAccepted(form: FormEntry, alias: string | null, at: number): void {
    entryIn(this.#forms, form, form).leadAt = at;
    if (alias !== null) entryIn(this.#aliases, alias, form).leadAt = at;
  }

  secretVerified(form: FormEntry, alias: string | null, at: number): void {
    entryIn(this.#forms, form, form).verifiedAt = at;
    if (alias !== null) entryIn(this.#aliases, alias, form).verifiedAt = at;
  }

  toRows(): FormUse[] {
    return [
      ...[...this.#forms.values()].map((use) => rowOf(use, '')),
      ...[...this.#aliases].map(([slug, use]) => rowOf(use, slug)),
    ];
  }
}

function entryIn<Key>(uses: Map<Key, Use>, key: Key, form: FormEntry): Use {
  let use = uses.get(key);
  if (use === undefined) {
    use = { form, leadAt: 0, verifiedAt: 0 };
    uses.set(key, use);
  }
  return use;
}

function rowOf({ form, leadAt, verifiedAt }: Use, slug: string): FormUse {
  const iso = (at: number) => (at === 0 ? null : new Date(at).toISOString());
  return { formId: form.id, slug, leadAt: iso(leadAt), verifiedAt: iso(verifiedAt) };
}
