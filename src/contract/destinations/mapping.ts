import { z } from 'zod';
import { destinationLimits } from '../../domain/destination/destination.ts';
import { exactText, strict } from '../shape.ts';

const row = strict({
  from: exactText(300).describe('A field, or a JSON pointer such as `/enrichment/company/name`.'),
  to: exactText(100).optional().describe('The name in the body.'),
  as: z.enum(['text', 'number', 'boolean', 'date', 'email', 'phone', 'list']).optional(),
  default: z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]).optional(),
  drop: z.boolean().optional(),
}).meta({ id: 'MappingRow' });

export const mapping = z.array(row).max(destinationLimits.mappingRows).meta({ id: 'Mapping' });
