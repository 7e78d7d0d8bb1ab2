import { z } from 'zod';
import { surfaces } from '../domain/surface.ts';
import { id, strict } from './shape.ts';

export const slugCheckQuery = strict({
  slug: z.string().max(200).optional().describe('The slug that somebody types.'),
  name: z.string().max(200).optional().describe('Without a slug: the name from which one is made.'),
});

export const slugCheck = z
  .object({
    slug: z.string().describe('The slug that was asked about, or that would be made from the name.'),
    free: z.boolean().describe('Whether a form of this workspace can have it.'),
    problem: z.string().nullable().describe('Why a form cannot have it.'),
    suggestion: z.string().nullable().describe('A similar one that is available.'),
  })
  .meta({ id: 'SlugCheck' });

export const testLeadRequest = strict({}).meta({ id: 'TestLeadRequest' });

export const testLead = z
  .object({
    surface: z.enum(surfaces),
    status: z.int().describe('The status of the answer: 202, or 200 for a rejection.'),
    submission_id: id.nullable(),
    request_id: z.string().nullable().describe('Finds a rejection in the diagnostics.'),
    took_ms: z.int(),
  })
  .meta({ id: 'TestLead' });

export type SlugCheck = z.output<typeof slugCheck>;
export type TestLead = z.output<typeof testLead>;
