import { sql } from 'kysely';
import { readableSenders } from '../../domain/senders/kinds.ts';

/** Selects held submissions that can become leads, as `isAdmissible` of domain/held/held-class.ts does. */
export const areAdmissible = sql`(class in ('A', 'B') or class = 'E' and sender = any (${[...readableSenders]}::text[]))`;
