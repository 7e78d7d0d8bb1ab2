import fc from 'fast-check';

/**
 * Property tests try the same cases in every run, so that a change is judged by what it changed. Look for new ones
 * with PROPERTY_SEED=<any number> npm test.
 */
const seed = Number(process.env.PROPERTY_SEED ?? 20_261_115);

fc.configureGlobal({ seed });
