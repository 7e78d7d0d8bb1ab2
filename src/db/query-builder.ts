import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { DiagnosticNoteKind } from '../domain/diagnostic-note.ts';
import type { EnrichmentView } from '../domain/enrichment/view.ts';
import type { Mark } from '../domain/lead/mark.ts';
import type { Grade, Verdict } from '../domain/score/score.ts';
import type { StoredReason } from '../domain/score/stored-reasons.ts';
import type { Surface } from '../domain/surface.ts';
import type { Queryable } from './pool.ts';

interface OfWorkspace {
  readonly shard: number;
  readonly workspace_id: string;
}

/** The tables whose queries depend on the filters given; see migrations/ for what the columns mean. */
export interface Tables {
  readonly leads: OfWorkspace & {
    readonly submission_id: string;
    readonly form_id: string;
    readonly surface: Surface;
    readonly received_at: Date;
    readonly fields: Record<string, unknown>;
    readonly score: number;
    readonly risk: number;
    readonly grade: Grade;
    readonly verdict: Verdict;
    readonly scored_verdict: Verdict | null;
    readonly reasons: StoredReason[];
    readonly ruleset: string;
  };
  readonly lead_enrichments: OfWorkspace & {
    readonly submission_id: string;
    readonly enriched_at: Date;
    readonly data: EnrichmentView;
  };
  readonly lead_second_looks: OfWorkspace & {
    readonly submission_id: string;
    readonly looked_at: Date;
    readonly provider: string;
    readonly verdict_before: Verdict;
    readonly risk_before: number;
  };
  readonly lead_marks: OfWorkspace & {
    readonly submission_id: string;
    readonly number: number;
    readonly mark: Mark | null;
    readonly marked_at: Date;
    readonly marked_by: string;
  };
  readonly outcome_counts: OfWorkspace & {
    readonly minute: Date;
    readonly surface: Surface;
    readonly outcome: string;
    readonly form_id: string;
    readonly token_id: string;
    readonly count: number;
    readonly last_at: Date;
  };
  readonly rejection_entries: OfWorkspace &
    SeenRequest & { readonly reason: string; readonly detail: Record<string, unknown> };
  readonly diagnostic_notes: OfWorkspace &
    SeenRequest & { readonly kind: DiagnosticNoteKind; readonly submission_id: string };
}

interface SeenRequest {
  readonly id: string;
  readonly at: Date;
  readonly surface: Surface;
  readonly form_id: string | null;
  readonly token_id: string | null;
  readonly request_id: string;
}

/** Only writes SQL: `rowsOf` runs it on the handle it is given, as hand-written statements are. */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

export async function rowsOf<Row>(db: Queryable, query: { compile(): CompiledQuery<Row> }): Promise<Row[]> {
  const { sql, parameters } = query.compile();
  const { rows } = await db.query(sql, [...parameters]);
  return rows as Row[];
}
