/**
 * Every table whose primary key leads with `shard`: on a Citus cluster these are distributed, all others stay on the
 * coordinator. A migration that creates such a table adds it here.
 */
export const hotTables = [
  'leads',
  'idempotency_keys',
  'rate_windows',
  'lead_enrichments',
  'outcome_counts',
  'rejection_entries',
  'diagnostic_notes',
  'lead_marks',
  'enrichment_results',
  'former_secret_uses',
  'lead_second_looks',
  'lead_erasures',
  'enrichment_outbox',
  'node_flushes',
  'event_counters',
  'lead_events',
  'deliveries',
  'delivery_attempts',
  'held_submissions',
  'held_usage',
  'held_missed',
  'lead_recoveries',
  'mint_counts',
  'clock_drifts',
  'handling_times',
  'source_rhythms',
  'lead_blocks',
  'lead_grams',
  'lead_runs',
  'dropped_lead_blocks',
] as const;

/** Where all hot tables are divided and placed. It exists on clusters only, and has no rows. */
export const bucketsTable = 'buckets';
