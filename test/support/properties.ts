import fc from 'fast-check';

/**
 * Property tests try the same cases in every run, so that a failure comes from the change and not from chance. To try new
 * cases, run PROPERTY_SEED=<any number> npm test.
 */
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

fc.configureGlobal({ seed });
