import { z } from 'zod';
import { destinationLimits } from '../../domain/destination/destination.ts';
import { exactText, strict } from '../shape.ts';

const operators = [
  'eq',
  'ne',
  'in',
  'not_in',
  'gte',
  'lte',
  'exists',
  'starts_with',
  'ends_with',
  'contains',
] as const;

const plain = z.union([z.string().max(1_000), z.number(), z.boolean()]);

const condition = strict({
  field: exactText(300).describe(
    '`form`, `surface`, `verdict`, `grade`, `score`, `field.<key>`, `enrichment.<path>` or `attribution.<key>`.',
  ),
  op: z.enum(operators),
  value: z.union([plain, z.array(plain).min(1).max(100)]),
}).meta({ id: 'FilterCondition' });

const conditions = z.array(condition).max(destinationLimits.conditions);

export const filter = z
  .union([strict({ all: conditions }), strict({ any: conditions })])
  .meta({ id: 'LeadFilter' });
