/** Why the embedded database cannot run, in a message for the operator. */
export class EmbeddedError extends Error {}

/** Another process owns the data directory. */
export class InUseError extends EmbeddedError {}
